-- From schema version 6 to 7: which file a call copied from, and where. Of the traces that are there it
-- is not known.
ALTER TABLE event ADD COLUMN source INTEGER;
ALTER TABLE event ADD COLUMN source_address INTEGER;
