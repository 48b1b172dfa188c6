-- From schema version 1 to 2: calls with a duration. New tables come from schema.sql.
ALTER TABLE trace ADD COLUMN clocks TEXT NOT NULL DEFAULT 'wall';
ALTER TABLE trace ADD COLUMN clock_hz INTEGER;
ALTER TABLE trace ADD COLUMN paired INTEGER NOT NULL DEFAULT 0;
ALTER TABLE trace ADD COLUMN study TEXT;
ALTER TABLE trace ADD COLUMN round INTEGER;
ALTER TABLE trace ADD COLUMN call_overhead INTEGER;
ALTER TABLE event ADD COLUMN self INTEGER;
ALTER TABLE name ADD COLUMN component INTEGER;
