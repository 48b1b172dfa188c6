-- Whether durability_found had a sync. If not, the log has none, or it changes too many names; then
-- `reason` is set.
looked AS (
    SELECT d.has, s.syncs, iif(s.syncs AND NOT d.has, 'the log changes more than 131,072 names', NULL) AS reason
    FROM (SELECT EXISTS (SELECT 1 FROM temp.durability_sync_count) AS has) AS d,
        (SELECT EXISTS (SELECT 1 FROM temp.selection AS x CROSS JOIN main.name AS n ON n.trace = x.trace
            AND n.text IN ('fsync', 'fdatasync', 'sync', 'syncfs', 'msync', 'sync_file_range')) AS syncs) AS s
)
