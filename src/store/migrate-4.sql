-- From schema version 4 to 5: the views have every field of events in words, and there are columns
-- (event_column), for imports to come; of the traces that are there `tracetool check --repair` makes
-- them. What a call failed with is kept for imports to come. Objects may be files that were found by
-- their blocks. All else comes from schema.sql.
ALTER TABLE event ADD COLUMN error INTEGER;
ALTER TABLE object ADD COLUMN inode INTEGER;
ALTER TABLE object ADD COLUMN generation INTEGER;
