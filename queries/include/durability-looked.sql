-- Whether durability_found had a sync. If not, none may be in the log, or the log changes too many
-- names; then `events` is set.
looked AS (
    SELECT EXISTS (SELECT 1 FROM temp.durability_sync_count) AS has, iif(s.syncs, s.events, NULL) AS events
    FROM (SELECT t.events, EXISTS (SELECT 1 FROM main.name AS n WHERE n.trace = t.id
            AND n.text IN ('fsync', 'fdatasync', 'sync', 'syncfs', 'msync', 'sync_file_range')) AS syncs
        FROM temp.selection AS x
        CROSS JOIN main.trace AS t ON t.id = x.trace) AS s
)
