-- From schema version 5 to 6: where another program changes a trace, triggers remove its rollups, too.
-- schema.sql makes them anew. Gaps of calls went from begin to begin, even while a call ran.
DROP TRIGGER IF EXISTS event_inserted;
DROP TRIGGER IF EXISTS event_updated;
DROP TRIGGER IF EXISTS event_deleted;
DROP TRIGGER IF EXISTS cpu_time_inserted;
DROP TRIGGER IF EXISTS cpu_time_updated;
DROP TRIGGER IF EXISTS cpu_time_deleted;
UPDATE trace SET rollups = trim(replace(' ' || rollups || ' ', ' gap ', ' ')) WHERE kind = 'calls';
