-- Texts for the states and reasons of temp.durability_file: `words`, `reasons`.
words (state, place, text) AS (
    VALUES (5, 0, 'lost'), (3, 1, 'replaced by an unsynced file'), (1, 2, 'data exposed'), (4, 3, 'unknown'),
        (2, 4, 'name exposed'), (0, 5, 'durable'), (6, 6, 'removed')
),
reasons (reason, text) AS (
    VALUES (1, 'created; folder not synced since'), (2, 'linked; folder not synced since'),
        (3, 'renamed; folder not synced since'), (4, 'removed; folder not synced since: it may come back'),
        (5, 'moved away; folder not synced since: it may come back'),
        (6, 'a folder above it is not on disk'),
        (7, 'mapped: what was written there is in no log'), (8, 'io_uring or libaio: its writes are not in the log'),
        (9, 'a call that changes it has no end in the log'), (10, 'linked from a descriptor'),
        (11, 'mapped: as of its last msync'), (12, 'if it is on the file system of the syncfs'),
        (13, 'a write has no end in the log'), (14, 'and not synced since'),
        (15, 'calls whose file the log does not tell')
)
