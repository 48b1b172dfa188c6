-- report: lifespan
-- question: How old do files get before they are deleted?
-- title: Age of files at deletion
-- kinds: io
-- actions: all
-- events: yes
-- worth: count mean p50 max bytes
-- column: file_type text - - the type of the file, by its name
-- key: file_type
-- order: count
-- column: count int - - number of events, or of references, in the row
-- column: min duration ns less minimum
-- column: mean duration ns less mean
-- column: p50 duration ns less median: smallest value that half of the values do not exceed
-- column: p90 duration ns less smallest value that 90 % of the values do not exceed
-- column: max duration ns less maximum
-- column: bytes bytes bytes - number of bytes
-- column: part text if compare
-- compare: values group=part lengths
--
-- `bytes` sums the sizes of the files.
WITH sizes AS (
    SELECT o.type, sum(e.size) AS bytes
    FROM (
        -- Reads no events if no trace has any.
        SELECT 1 FROM temp.selection AS x CROSS JOIN main.name AS k ON k.trace = x.trace
        WHERE k.kind = 'lifespan' LIMIT 1
    )
    CROSS JOIN temp.selected_event AS e
    CROSS JOIN main.name AS n ON n.id = e.operation
    CROSS JOIN main.object AS o ON o.id = e.object
    WHERE n.kind = 'lifespan' AND e.duration IS NOT NULL
    GROUP BY o.type
)
SELECT d.name AS file_type, d.count, d.min, d.mean, d.p50, d.p90, d.max, sizes.bytes, d.name
FROM temp.distribution AS d
JOIN sizes ON sizes.type = d.name
ORDER BY d.count DESC, d.name;
-- distribution
SELECT o.type, e.duration
FROM (
    SELECT 1 FROM temp.selection AS x CROSS JOIN main.name AS k ON k.trace = x.trace
    WHERE k.kind = 'lifespan' LIMIT 1
)
CROSS JOIN temp.selected_event AS e
CROSS JOIN main.name AS n ON n.id = e.operation
CROSS JOIN main.object AS o ON o.id = e.object
WHERE n.kind = 'lifespan' AND e.duration IS NOT NULL
