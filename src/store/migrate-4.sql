-- From schema version 4 to 5: the views have every field of events in words. They come from schema.sql,
-- as all views do.
SELECT 1;
