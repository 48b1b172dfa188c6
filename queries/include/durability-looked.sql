-- Whether durability_found had a sync. If not, the selected calls have none, or change too many
-- names; then `reason` is set.
looked AS (
    SELECT d.has, s.syncs, iif(s.syncs AND NOT d.has, 'the log changes more than 131,072 names', NULL) AS reason
    FROM (SELECT EXISTS (SELECT 1 FROM temp.durability_sync_count) AS has) AS d,
        (SELECT EXISTS (SELECT 1 FROM temp.tally_call AS c CROSS JOIN main.name AS n ON n.id = c.operation
            AND c.calls > 0 AND n.text IN ('fsync', 'fdatasync', 'sync', 'syncfs', 'msync', 'sync_file_range')) AS syncs) AS s
)
