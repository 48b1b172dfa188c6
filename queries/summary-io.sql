-- report: summary
-- title: Summary
-- kinds: io
-- actions: all
-- tally: operation size process
-- plot: none
-- column: attribute text
-- column: value any
--
-- `events` are those of all actions; the I/Os are those of the counted one: completed, unless
-- --action names another.
WITH counted AS (
    SELECT t.class, t.count, t.bytes, t.size
    FROM temp.tally_size AS t
    JOIN main.name AS n ON n.id = t.action
    WHERE EXISTS (SELECT 1 FROM temp.selection AS s WHERE s.trace = t.trace AND s.action IS NOT NULL)
        OR NOT EXISTS (
            SELECT 1 FROM main.name AS x
            WHERE x.trace = t.trace AND x.kind = 'action' AND x.text IN ('C', 'D', 'I', 'G', 'Q')
        )
        OR n.text = (
        SELECT x.text
        FROM main.name AS x
        JOIN temp.selection AS s ON s.trace = x.trace AND x.trace = t.trace
        WHERE x.kind = 'action' AND x.text IN ('C', 'D', 'I', 'G', 'Q')
        ORDER BY instr('CDIGQ', x.text) LIMIT 1
    )
)
SELECT 'run time' AS attribute, (
    SELECT ifnull(sum(e.time - s.time), 0) FROM temp.selection AS x
    JOIN main.event AS s ON s.id = x.first_event
    JOIN main.event AS e ON e.id = x.last_event
    WHERE x.first_event <= x.last_event) AS value, 'duration' AS _kind
UNION ALL SELECT 'events', (SELECT ifnull(sum(count), 0) FROM temp.tally_operation), 'integer'
UNION ALL SELECT 'operations seen', (
    SELECT count(DISTINCT n.text) FROM temp.tally_operation AS t
    JOIN main.name AS n ON n.id = t.operation), 'integer'
UNION ALL SELECT 'I/Os', (SELECT ifnull(sum(count), 0) FROM counted), 'integer'
UNION ALL SELECT 'reads', (SELECT ifnull(sum(count), 0) FROM counted WHERE class IN (0, 1)),
    'integer'
UNION ALL SELECT 'writes', (SELECT ifnull(sum(count), 0) FROM counted WHERE class IN (2, 3)),
    'integer'
UNION ALL SELECT 'bytes read', (SELECT ifnull(sum(bytes), 0) FROM counted WHERE class IN (0, 1)),
    'bytes'
UNION ALL SELECT 'bytes written', (SELECT ifnull(sum(bytes), 0) FROM counted WHERE class IN (2, 3)),
    'bytes'
UNION ALL SELECT 'mean I/O size', (SELECT 1.0 * sum(bytes) / sum(count) FROM counted), 'real'
UNION ALL SELECT 'processes', (
    SELECT count(DISTINCT process) FROM temp.tally_process), 'integer'
UNION ALL SELECT 'log size', (
    SELECT sum(f.size) FROM main.source AS f
    JOIN temp.selection AS s ON s.trace = f.trace), 'bytes';
