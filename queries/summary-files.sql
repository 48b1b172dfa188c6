-- report: summary
-- question: What are the key figures of the trace?
-- title: Summary
-- kinds: calls
-- needs: size=transfer
-- tally: operation object? copied? call_operation
-- part: weights
-- when: weights
-- tally: weights_of_times
-- part: main
-- part: all
-- column: attribute text - - what the value says
-- key: attribute
-- column: value any - - the value
-- compare: rows
--
-- What Table 4 of the AndroStep paper has for a trace: run time, lines, threads, bytes; then more.
-- `lines` are those of the whole trace, damaged ones too, whatever is selected of its events. What came later
-- stands behind what scripts know.
WITH
-- include: call-does
,
-- part: weights
-- include: weight-of
,
-- include: cost-of-calls
,
-- part: all
called AS (
    SELECT n.text AS name, c.does, sum(t.count) AS count, sum_time(t.bytes) AS bytes
    FROM temp.tally_operation AS t
    JOIN main.name AS n ON n.id = t.operation
    LEFT JOIN call_does AS c ON c.name = n.text
    GROUP BY n.text
),
-- What a call that copies has read, which a filter may choose by a file of its own.
moved AS (
    SELECT iif(does = 'copy', 'write', does) AS does, bytes FROM called
    UNION ALL SELECT 'read', bytes FROM called
    WHERE does = 'copy' AND (SELECT max(s.filtered) FROM temp.selection AS s) = 0
    UNION ALL SELECT 'read', bytes FROM temp.tally_copied
    WHERE (SELECT max(s.filtered) FROM temp.selection AS s) = 1
),
-- As long as a trace, each of its threads: by rollups alone, which know no first call of a thread.
life (trace, threads, time) AS (
    SELECT a.trace, count(DISTINCT o.actor), 0
    FROM temp.tally_operation AS o
    JOIN main.actor AS a ON a.id = o.actor
    GROUP BY a.trace
    UNION ALL
    SELECT trace, 0, max(last) - min(first) FROM temp.tally_call GROUP BY trace
),
lived AS (SELECT sum(threads) * sum(time) AS time FROM life GROUP BY trace),
-- Times and failures are there where the log has them.
times AS MATERIALIZED (
    SELECT sum(timed) AS timed, sum_time(total) AS total, sum(iif(failed, calls, 0)) AS failed,
        (SELECT sum_time(time) FROM lived) AS lived,
        EXISTS (SELECT 1 FROM temp.selection AS x JOIN main.meaning AS m ON m.trace = x.trace
            WHERE m."column" = 'value' AND m.what = 'result') AS has_results
    FROM temp.tally_call
),
attributes (position, attribute, value, _kind) AS MATERIALIZED (
    SELECT 1, 'run time', (
        SELECT ifnull(sum_time(e.time - s.time), 0) FROM temp.selection AS x
        CROSS JOIN main.event AS s ON s.id = x.first_event
        CROSS JOIN main.event AS e ON e.id = x.last_event
        WHERE x.first_event <= x.last_event), 'duration'
    UNION ALL SELECT 2, 'lines', (
        SELECT sum(t.events + t.merged + t.ignored + t.rejected) FROM temp.selection AS s
        CROSS JOIN main.trace AS t ON t.id = s.trace), 'integer'
    UNION ALL SELECT 3, 'events', (SELECT ifnull(sum(count), 0) FROM called), 'integer'
    UNION ALL SELECT 4, 'threads', (
        SELECT count(DISTINCT actor) FROM temp.tally_operation), 'integer'
    UNION ALL SELECT 5, 'bytes written', (
        SELECT ifnull(sum_time(bytes), 0) FROM moved
        WHERE does = 'write'), 'bytes'
    UNION ALL SELECT 6, 'bytes read', (
        SELECT ifnull(sum_time(bytes), 0) FROM moved
        WHERE does = 'read'), 'bytes'
    UNION ALL SELECT 7, 'files', (
        SELECT count(DISTINCT o.trace || ' ' || o.name) FROM temp.selection AS s
        CROSS JOIN main.object AS o ON o.trace = s.trace
        -- A path without a type is the second one of a rename or link.
        WHERE (NOT s.filtered AND s.whole AND (o.type IS NOT NULL OR o.name NOT GLOB '[./]*'))
            OR o.id IN (SELECT object FROM temp.tally_object)), 'integer'
    UNION ALL SELECT 8, 'calls ' || name, count, 'integer' FROM called
    UNION ALL SELECT 9, 'log size', (
        SELECT sum(f.size) FROM temp.selection AS s
        CROSS JOIN main.source AS f ON f.trace = s.trace), 'bytes'
-- part: weights
    UNION ALL SELECT 10, 'cost', (SELECT sum(cost) FROM costed), 'real ' || unit
        FROM temp.weight_unit
-- part: all
    UNION ALL SELECT 11, 'time in calls', total, 'duration' FROM times WHERE timed > 0
    UNION ALL SELECT 12, 'share of thread time', total / nullif(1.0 * lived, 0.0), 'share'
        FROM times WHERE timed > 0
    UNION ALL SELECT 13, 'synchronisations', ifnull(sum(count), 0), 'integer'
        FROM called
        WHERE name IN ('fsync', 'fdatasync', 'sync', 'syncfs', 'sync_file_range', 'msync')
    UNION ALL SELECT 14, 'failed calls', failed, 'integer' FROM times WHERE has_results
    UNION ALL SELECT 15, 'processes', count(DISTINCT a.trace || ' ' || a.pid), 'integer'
        FROM temp.tally_operation AS t
        JOIN main.actor AS a ON a.id = t.actor
        HAVING count(a.pid) > 0
)
SELECT attribute, value,
    iif(position = 1, (SELECT count(*) FROM attributes WHERE position IN (2, 8, 9)), 0) AS _more, _kind
FROM attributes
WHERE :brief IS NULL OR position NOT IN (2, 8, 9)
-- A table has times and failures behind the number of events, processes behind threads.
ORDER BY CASE WHEN :brief IS NULL OR position < 11 THEN position WHEN position = 15 THEN 4 ELSE 3 END,
    position, value DESC, attribute;
-- remark loss
SELECT printf('io_uring or libaio: %d calls; their reads and writes are not in the log', sum(t.count))
FROM temp.tally_operation AS t
JOIN main.name AS n ON n.id = t.operation
WHERE n.text IN ('io_uring_enter', 'io_submit')
HAVING sum(t.count) > 0;
-- include: outlying-remark
-- include: unpaired-calls
-- part: weights
-- include: weights-remark
