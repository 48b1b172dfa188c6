-- report: summary
-- question: What are the key figures of the trace?
-- title: Summary
-- kinds: spans
-- options: weights
-- tally: operation size depth span weights_of_times
-- column: attribute text - - what the value says
-- key: attribute
-- column: value any - - the value
-- compare: rows
WITH
-- include: weight-of
, costed (cost) AS (
    SELECT total(w.call * t.count + w.byte * t.bytes)
    FROM temp.tally_operation AS t
    JOIN weight_of AS w ON w.operation = t.operation
    UNION ALL
    SELECT total(w.ms * t.self / 1e6)
    FROM temp.tally_span AS t
    JOIN weight_of AS w ON w.operation = t.operation
),
counts AS (
    SELECT
        -- Of a whole trace up to its last record, which mostly is an exit.
        (SELECT sum_time(iif(x.last_event = t.last_event, t.last_time, e.time) - s.time)
            FROM temp.selection AS x
            CROSS JOIN main.trace AS t ON t.id = x.trace
            JOIN main.event AS s ON s.id = x.first_event
            JOIN main.event AS e ON e.id = x.last_event
            WHERE x.first_event <= x.last_event) AS run_time,
        (SELECT min(t.clock_unit) FROM temp.selection AS x
            CROSS JOIN main.trace AS t ON t.id = x.trace) AS clock_unit,
        (SELECT sum(count) FROM temp.tally_operation) AS calls,
        (SELECT sum(timed) FROM temp.tally_span) AS timed,
        (SELECT sum_time(self) FROM temp.tally_span) AS self,
        (SELECT count(DISTINCT ifnull(m.merged, t.operation)) FROM temp.tally_operation AS t
            LEFT JOIN temp.merged_operation AS m ON m.id = t.operation) AS functions,
        (SELECT count(DISTINCT ifnull(m.merged, n.component)) FROM temp.tally_operation AS t
            JOIN main.name AS n ON n.id = t.operation
            LEFT JOIN temp.merged_operation AS m ON m.id = n.component) AS components,
        (SELECT count(DISTINCT actor) FROM temp.tally_operation) AS threads,
        (SELECT max(depth) FROM temp.tally_depth WHERE span_is_call(marks)) AS deepest,
        (SELECT sum(count) FROM temp.tally_depth WHERE span_flag(marks, 'recursive')) AS recursive,
        (SELECT sum(count) FROM temp.tally_depth WHERE span_flag(marks, 'exit missing')) AS missing,
        (SELECT sum(count) FROM temp.tally_depth WHERE span_flag(marks, 'open')) AS open,
        (SELECT sum(count) FROM temp.tally_depth WHERE span_flag(marks, 'stray exit')) AS stray,
        (SELECT sum(count) FROM temp.tally_depth WHERE span_flag(marks, 'exception')) AS exceptions,
        (SELECT sum(count) FROM temp.tally_depth WHERE span_flag(marks, 'data')) AS data,
        (SELECT sum(bytes) FROM temp.tally_depth WHERE span_flag(marks, 'data')) AS data_bytes,
        (SELECT sum(bytes) FROM temp.tally_size) AS bytes,
        (SELECT sum(count) FROM temp.tally_size) AS sized
)
-- A log without times has no run time.
SELECT 'run time' AS attribute, ifnull(run_time, 0) AS value,
    iif(clock_unit = 'ns', 'duration', 'integer') AS _kind FROM counts
    WHERE clock_unit <> 'records'
UNION ALL SELECT 'clock unit', clock_unit, 'text' FROM counts
UNION ALL SELECT 'calls', ifnull(calls, 0), 'integer' FROM counts
UNION ALL SELECT 'operations seen', functions, 'integer' FROM counts
UNION ALL SELECT 'components seen', components, 'integer' FROM counts WHERE components > 0
UNION ALL SELECT 'threads', threads, 'integer' FROM counts
UNION ALL SELECT 'deepest call', deepest, 'integer' FROM counts WHERE calls > 0
UNION ALL SELECT 'calls with a duration', ifnull(timed, 0), 'integer' FROM counts
UNION ALL SELECT 'time in calls', self, iif(clock_unit = 'ns', 'duration', 'integer') FROM counts
    WHERE timed > 0
UNION ALL SELECT 'recursive calls', ifnull(recursive, 0), 'integer' FROM counts
UNION ALL SELECT 'calls ended by an exception', exceptions, 'integer' FROM counts
    WHERE exceptions > 0
UNION ALL SELECT 'calls without an exit of their own', ifnull(missing, 0), 'integer' FROM counts
UNION ALL SELECT 'calls open at the end', ifnull(open, 0), 'integer' FROM counts
UNION ALL SELECT 'exits without an entry', ifnull(stray, 0), 'integer' FROM counts
UNION ALL SELECT 'data records', data, 'integer' FROM counts WHERE data > 0
UNION ALL SELECT 'data bytes', data_bytes, 'bytes' FROM counts WHERE data > 0
UNION ALL SELECT 'mean argument size', 1.0 * bytes / sized, 'real bytes' FROM counts WHERE sized > 0
UNION ALL SELECT 'argument bytes', bytes, 'bytes' FROM counts WHERE sized > 0
UNION ALL SELECT 'log size', (SELECT sum(f.size) FROM temp.selection AS s
    CROSS JOIN main.source AS f ON f.trace = s.trace), 'bytes'
UNION ALL SELECT 'cost', (SELECT sum(cost) FROM costed), 'real ' || unit FROM temp.weight_unit;
-- include: outlying-remark
-- include: weights-remark
