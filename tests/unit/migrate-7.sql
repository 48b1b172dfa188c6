-- A step that only the unit tests have: test_store.c.
UPDATE trace SET device = device || ', migrated';
