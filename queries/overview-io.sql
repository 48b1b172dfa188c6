-- report: overview
-- question: What is in the trace, and what stands at the top?
-- title: Overview
-- kinds: io
-- tally: size process latency
-- plot: none
-- blank: most
-- column: figure text - - what the value says
-- column: most text - - what of it comes first, or where it is
-- column: value any - - the value
-- fact: flushes rows figure = flushes
-- fact: reads-and-writes rows figure = bytes read, bytes written
-- fact: sizes rows figure = bytes read, bytes written, most frequent size
-- fact: processes rows figure = processes
--
-- I/Os are those of the counted action: completed, unless --action names another.
WITH
-- include: directions
, counts AS (
    SELECT ifnull(sum(count) FILTER (WHERE NOT is_flush), 0) AS count,
        ifnull(sum(count) FILTER (WHERE is_read), 0) AS reads,
        ifnull(sum(count) FILTER (WHERE is_write), 0) AS writes,
        ifnull(sum(count) FILTER (WHERE is_flush), 0) AS flushes,
        ifnull(sum(bytes) FILTER (WHERE is_read), 0) AS bytes_read,
        ifnull(sum(bytes) FILTER (WHERE is_write), 0) AS bytes_written
    FROM sized
),
common_size AS (
    SELECT size, sum(count) AS count FROM sized
    WHERE size > 0
    GROUP BY size
    ORDER BY 2 DESC, 1
    LIMIT 1
),
by_process AS (
    SELECT process, sum(count) AS count FROM temp.tally_process
    WHERE class <> io_class_number('flush')
    GROUP BY process
),
timed AS (
    SELECT io_class_name(CAST(d.name AS INTEGER)) AS class, CAST(d.name AS INTEGER) AS place, d.*
    FROM temp.distribution AS d
    WHERE d.count > 0
)
SELECT 'I/Os' AS figure, printf('%.0f %% read, %.0f %% written', 100.0 * reads / count,
        100.0 * writes / count) AS most, count AS value, 'integer' AS _kind FROM counts
UNION ALL SELECT 'run time', NULL, (SELECT ifnull(sum(e.time - b.time), 0)
        FROM temp.selection AS x
        CROSS JOIN main.event AS b ON b.id = x.first_event
        CROSS JOIN main.event AS e ON e.id = x.last_event
        WHERE x.first_event <= x.last_event), 'duration'
UNION ALL SELECT 'bytes read', NULL, bytes_read, 'bytes' FROM counts WHERE reads > 0
UNION ALL SELECT 'bytes written', NULL, bytes_written, 'bytes' FROM counts WHERE writes > 0
UNION ALL SELECT 'flushes', NULL, flushes, 'integer' FROM counts WHERE flushes > 0
UNION ALL SELECT 'most frequent size', printf('%.0f %% of I/Os', 100.0 * s.count / c.count), size,
    'bytes' FROM common_size AS s, counts AS c
UNION ALL SELECT 'processes',
    (SELECT printf('%s %.0f %% of I/Os', b.process, 100.0 * b.count / c.count)
        FROM by_process AS b ORDER BY b.count DESC, b.process LIMIT 1), (
        SELECT count(*) FROM by_process), 'integer'
    FROM counts AS c WHERE EXISTS (SELECT 1 FROM by_process WHERE process <> '')
UNION ALL SELECT figure, most, value, 'duration' FROM (
    SELECT class || ' latency, median' AS figure, count || ' I/Os' AS most, p50 AS value,
        place FROM timed
    UNION ALL SELECT class || ' latency, p99', NULL, p99, place FROM timed
    UNION ALL SELECT class || ' latency, longest', NULL, max, place FROM timed
    ORDER BY place
)
UNION ALL SELECT 'log size', NULL, (SELECT sum(f.size) FROM temp.selection AS s
    CROSS JOIN main.source AS f ON f.trace = s.trace), 'bytes';
-- include: latency-remark
