-- From schema version 5 to 6: where another program changes a trace, triggers remove its rollups, too.
-- schema.sql makes them anew.
DROP TRIGGER IF EXISTS event_inserted;
DROP TRIGGER IF EXISTS event_updated;
DROP TRIGGER IF EXISTS event_deleted;
DROP TRIGGER IF EXISTS cpu_time_inserted;
DROP TRIGGER IF EXISTS cpu_time_updated;
DROP TRIGGER IF EXISTS cpu_time_deleted;
