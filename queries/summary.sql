-- report: summary
-- question: What are the key figures of the trace?
-- title: Summary
-- part: counters
-- kinds: samples
-- needs: value=counter
-- events: yes
-- plot: none
-- compare: rows key=attribute value=value
-- part: files-weights files io weights main
-- fact: times rows attribute = run time
-- part: files-weights files
-- kinds: calls
-- needs: size=transfer
-- tally: operation object? copied? call_operation
-- fact: threads rows attribute = threads
-- part: files-weights
-- when: weights
-- tally: weights_of_times
-- part: files-weights files
-- key: attribute
-- compare: rows
--
-- Figures of Table 4 in the AndroStep paper: run time, lines, threads, bytes; then others. `lines`
-- counts all lines of the trace, including damaged ones, regardless of filters. New figures are
-- appended, so that scripts keep working.
-- part: io
-- kinds: io
-- options: weights
-- tally: size process file_type hour object? weights
-- key: attribute
-- compare: rows
-- fact: synchronous-flags rows attribute = synchronous share of writes
-- fact: flushes rows attribute = flushes
-- fact: reads-and-writes rows attribute = reads, writes, writes per read, bytes read, bytes written
-- fact: sizes rows attribute = bytes read, bytes written, mean I/O size, share of 4 KB I/Os
-- fact: file-types rows attribute = share of SQLite databases, share of SQLite journals
-- fact: files rows attribute = files
-- fact: processes rows attribute = processes
--
-- `events` counts all actions; all other figures are of the counted action: completions, or
-- --action. Flushes are not I/Os. Mean size and share of 4 KB are of I/Os with data.
-- part: results
-- kinds: results
-- events: yes
-- plot: none
-- compare: rows key=attribute value=value
-- part: samples
-- kinds: samples
-- needs: value=load
-- events: yes
-- plot: none
-- compare: rows key=attribute value=value
-- part: spans
-- kinds: spans
-- options: weights
-- tally: operation size depth span weights_of_times
-- key: attribute
-- compare: rows
-- part: states
-- kinds: states
-- tally: state
-- key: attribute
-- compare: rows
-- part: weights main
-- kinds: calls
-- tally: operation size
-- part: weights
-- when: weights
-- tally: call_operation weights_of_times
-- part: weights main
-- key: attribute
-- compare: rows
--
-- Loggable calls come from the configuration, else the default set. A Palmist record is a call: 12
-- bytes and its arguments, whatever the log's format.
-- part: all
-- column: attribute text - - name of the figure
-- column: value any - - the value
-- part: counters
WITH counts AS (
    SELECT count(*) AS samples, count(DISTINCT e.operation) AS counters FROM temp.selected_event AS e
)
SELECT 'run time' AS attribute, (SELECT sum(l.time - f.time) FROM temp.selection AS s
    JOIN main.event AS f ON f.id = s.first_event
    JOIN main.event AS l ON l.id = s.last_event
    WHERE s.first_event <= s.last_event) AS value,
    (SELECT iif(min(t.clock_unit) = 'ns', 'duration', 'integer')
        FROM temp.selection AS x CROSS JOIN main.trace AS t ON t.id = x.trace) AS _kind
UNION ALL SELECT 'samples', samples, 'integer' FROM counts
UNION ALL SELECT 'counters', counters, 'integer' FROM counts
UNION ALL SELECT 'log size', (SELECT sum(f.size) FROM temp.selection AS s
    CROSS JOIN main.source AS f ON f.trace = s.trace), 'bytes';
-- part: files-weights files
WITH
-- include: call-does
,
-- part: files-weights
-- include: weight-of
,
-- include: cost-of-calls
,
-- part: files-weights files
called AS (
    SELECT n.text AS name, c.does, sum(t.count) AS count, sum_time(t.bytes) AS bytes
    FROM (SELECT operation, sum(count) AS count, sum_time(bytes) AS bytes
        FROM temp.tally_operation GROUP BY operation) AS t
    JOIN main.name AS n ON n.id = t.operation
    LEFT JOIN call_does AS c ON c.name = n.text
    GROUP BY n.text
),
-- Bytes read by copying calls, which a filter can select by their source file.
moved AS (
    SELECT iif(does = 'copy', 'write', does) AS does, bytes FROM called
    UNION ALL SELECT 'read', bytes FROM called
    WHERE does = 'copy' AND (SELECT max(s.filtered) FROM temp.selection AS s) = 0
    UNION ALL SELECT 'read', bytes FROM temp.tally_copied
    WHERE (SELECT max(s.filtered) FROM temp.selection AS s) = 1
),
-- Each thread lasts as long as the trace: with rollups alone, its first call is unknown.
life (trace, threads, time) AS (
    SELECT a.trace, count(*), 0
    FROM (SELECT DISTINCT actor FROM temp.tally_operation) AS o
    JOIN main.actor AS a ON a.id = o.actor
    GROUP BY a.trace
    UNION ALL
    SELECT trace, 0, max(last) - min(first) FROM temp.tally_call GROUP BY trace
),
lived AS (SELECT sum(threads) * sum(time) AS time FROM life GROUP BY trace),
-- Times and failures, if the log has them.
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
        -- A path without a type is the second path of a rename or link.
        WHERE (NOT s.filtered AND s.whole AND (o.type IS NOT NULL OR o.name NOT GLOB '[./]*'))
            OR o.id IN (SELECT object FROM temp.tally_object)), 'integer'
    UNION ALL SELECT 8, 'calls ' || name, count, 'integer' FROM called
    UNION ALL SELECT 9, 'log size', (
        SELECT sum(f.size) FROM temp.selection AS s
        CROSS JOIN main.source AS f ON f.trace = s.trace), 'bytes'
-- part: files-weights
    UNION ALL SELECT 10, 'cost', (SELECT sum(cost) FROM costed), 'real ' || unit
        FROM temp.weight_unit
-- part: files-weights files
    UNION ALL SELECT 11, 'time in calls', total, 'duration' FROM times WHERE timed > 0 OR total > 0
    UNION ALL SELECT 12, 'share of thread time', total / nullif(1.0 * lived, 0.0), 'share'
        FROM times WHERE timed > 0
    UNION ALL SELECT 13, 'synchronisations', ifnull(sum(count), 0), 'integer'
        FROM called
        WHERE name IN ('fsync', 'fdatasync', 'sync', 'syncfs', 'sync_file_range', 'msync')
    UNION ALL SELECT 14, 'failed calls', failed, 'integer' FROM times WHERE has_results
    UNION ALL SELECT 15, 'processes', count(DISTINCT a.trace || ' ' || a.pid), 'integer'
        FROM (SELECT DISTINCT actor FROM temp.tally_operation) AS t
        JOIN main.actor AS a ON a.id = t.actor
        HAVING count(a.pid) > 0
)
SELECT attribute, value,
    iif(position = 1, (SELECT count(*) FROM attributes WHERE position IN (2, 8, 9)), 0) AS _more, _kind
FROM attributes
WHERE :brief IS NULL OR position NOT IN (2, 8, 9)
-- Order in tables: times and failures after the number of events, processes after threads.
ORDER BY CASE WHEN :brief IS NULL OR position < 11 THEN position WHEN position = 15 THEN 4 ELSE 3 END,
    position, value DESC, attribute;
-- remark loss
SELECT 'io_uring or libaio: ' || counted(sum(t.count), 'call{s}; {its|their} reads and writes are not in the log')
FROM temp.tally_operation AS t
JOIN main.name AS n ON n.id = t.operation
WHERE n.text IN ('io_uring_enter', 'io_submit')
HAVING sum(t.count) > 0;
-- include: outlying-remark
-- include: unpaired-calls
-- part: files-weights
-- include: weights-remark
-- part: io
WITH
-- include: directions
,
-- include: class-weight
, io AS (
    SELECT
        ifnull(sum(count) FILTER (WHERE NOT is_flush), 0) AS count,
        ifnull(sum(count) FILTER (WHERE is_flush), 0) AS flushes,
        ifnull(sum(count) FILTER (WHERE size > 0), 0) AS with_data,
        ifnull(sum(count) FILTER (WHERE is_read), 0) AS reads,
        ifnull(sum(count) FILTER (WHERE is_write), 0) AS writes,
        ifnull(sum(count) FILTER (WHERE class = io_class_number('writesync')), 0) AS sync_writes,
        ifnull(sum(bytes) FILTER (WHERE is_read), 0) AS bytes_read,
        ifnull(sum(bytes) FILTER (WHERE is_write), 0) AS bytes_written,
        -- Of whole I/Os; with a file filter, `bytes` counts only the chosen files.
        total(size * count) AS whole_bytes,
        ifnull(sum(count) FILTER (WHERE size = 4096), 0) AS of_4_kb
    FROM sized
),
by_hour AS (
    SELECT (t.hour % 24 + 24) % 24 AS hour, sum(t.count) AS count
    FROM temp.tally_hour AS t
    JOIN temp.selection AS s ON s.trace = t.trace AND s.of_day
    WHERE t.class <> io_class_number('flush')
    GROUP BY 1
),
file_type AS (
    SELECT
        sum(count) FILTER (WHERE file_type = 'sqlite-db') AS database,
        sum(count) FILTER (WHERE file_type = 'sqlite-journal') AS journal
    FROM temp.tally_file_type
    WHERE class <> io_class_number('flush')
)
SELECT 'run time' AS attribute, (
    SELECT ifnull(sum(e.time - s.time), 0) FROM temp.selection AS x
    CROSS JOIN main.event AS s ON s.id = x.first_event
    CROSS JOIN main.event AS e ON e.id = x.last_event
    WHERE x.first_event <= x.last_event) AS value, 'duration' AS _kind
UNION ALL SELECT 'events', sum(events), 'integer'
    FROM temp.selection HAVING NOT max(filtered)
UNION ALL SELECT 'operations seen', (
    SELECT count(DISTINCT n.text) FROM temp.selection AS s
    CROSS JOIN main.name AS n ON n.trace = s.trace WHERE n.kind = 'action'), 'integer'
    -- Names only describe whole traces.
    WHERE NOT EXISTS (
        SELECT 1 FROM temp.selection AS s CROSS JOIN main.trace AS t ON t.id = s.trace
        WHERE s.filtered OR s.first_event <> t.first_event OR s.last_event <> t.last_event
    )
UNION ALL SELECT 'I/Os', count, 'integer' FROM io
UNION ALL SELECT 'reads', reads, 'integer' FROM io
UNION ALL SELECT 'writes', writes, 'integer' FROM io
UNION ALL SELECT 'flushes', flushes, 'integer' FROM io
UNION ALL SELECT 'writes per read', round(1.0 * writes / reads, 6), 'real' FROM io
UNION ALL SELECT 'synchronous share of writes', 1.0 * sync_writes / writes, 'share' FROM io
UNION ALL SELECT 'bytes read', bytes_read, 'bytes' FROM io
UNION ALL SELECT 'bytes written', bytes_written, 'bytes' FROM io
UNION ALL SELECT 'mean I/O size', whole_bytes / with_data, 'real bytes' FROM io
UNION ALL SELECT 'share of 4 KB I/Os', 1.0 * of_4_kb / with_data, 'share' FROM io
UNION ALL SELECT 'share of SQLite databases', 1.0 * ifnull(database, 0) / count, 'share'
    FROM io, file_type
UNION ALL SELECT 'share of SQLite journals', 1.0 * ifnull(journal, 0) / count, 'share'
    FROM io, file_type
UNION ALL SELECT 'busiest hour', (SELECT hour FROM by_hour ORDER BY count DESC, hour LIMIT 1),
    'number h' WHERE EXISTS (SELECT 1 FROM by_hour)
UNION ALL SELECT 'share of the two busiest hours', (
    SELECT sum(count) FROM (SELECT count FROM by_hour ORDER BY count DESC LIMIT 2))
    * 1.0 / (SELECT sum(count) FROM by_hour), 'share'
    WHERE EXISTS (SELECT 1 FROM by_hour)
UNION ALL SELECT 'processes', (
    SELECT count(DISTINCT process) FROM temp.tally_process WHERE process <> ''), 'integer'
UNION ALL SELECT 'files', (
    -- For a whole trace, all names in it.
    SELECT count(DISTINCT o.name) FROM temp.selection AS s
    CROSS JOIN main.object AS o ON o.trace = s.trace
    WHERE (NOT s.filtered AND s.whole) OR o.id IN (SELECT object FROM temp.tally_object)),
    'integer'
UNION ALL SELECT 'log size', (
    SELECT sum(f.size) FROM temp.selection AS s
    CROSS JOIN main.source AS f ON f.trace = s.trace), 'bytes'
UNION ALL SELECT 'cost', (
    SELECT total(w.call * t.count + w.byte * t.bytes)
    FROM temp.tally_size AS t JOIN class_weight AS w ON w.class = t.class), 'real ' || unit
    FROM temp.weight_unit;
-- include: outlying-remark
-- include: weights-remark
-- part: results
WITH counts AS (
    SELECT count(*) AS measured, count(DISTINCT e.actor) AS tests
    FROM temp.selected_event AS e
)
SELECT 'values' AS attribute, measured AS value, 'integer' AS _kind FROM counts
UNION ALL SELECT 'tests', tests, 'integer' FROM counts WHERE tests > 0 OR measured = 0
UNION ALL SELECT 'log size', (SELECT sum(f.size) FROM temp.selection AS s
    CROSS JOIN main.source AS f ON f.trace = s.trace), 'bytes';
-- part: samples
WITH counts AS (
    SELECT count(*) AS samples, count(DISTINCT e.actor) AS processes,
        max(e.value) / 1e6 AS most, max(e.size) AS peak
    FROM temp.selected_event AS e
)
SELECT 'run time' AS attribute, (SELECT sum(l.time - f.time) FROM temp.selection AS s
    JOIN main.event AS f ON f.id = s.first_event
    JOIN main.event AS l ON l.id = s.last_event
    WHERE s.first_event <= s.last_event) AS value, 'duration' AS _kind
UNION ALL SELECT 'samples', samples, 'integer' FROM counts
UNION ALL SELECT 'processes', processes, 'integer' FROM counts
UNION ALL SELECT 'highest CPU load of a process', most, 'share' FROM counts WHERE most NOT NULL
UNION ALL SELECT 'most memory of a process', peak, 'bytes' FROM counts WHERE peak NOT NULL
UNION ALL SELECT 'log size', (SELECT sum(f.size) FROM temp.selection AS s
    CROSS JOIN main.source AS f ON f.trace = s.trace), 'bytes';
-- part: spans
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
        -- Without a --to that cuts it, up to the last record, which is usually an exit.
        (SELECT sum_time(iif(x.last_event = t.last_event AND x.to_end, t.last_time, e.time) - s.time)
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
        (SELECT sum(count) FROM temp.tally_depth
            WHERE span_is_call(marks) AND span_flag(marks, 'exception')) AS exceptions,
        (SELECT sum(count) FROM temp.tally_depth WHERE span_flag(marks, 'data')) AS data,
        (SELECT sum(bytes) FROM temp.tally_depth WHERE span_flag(marks, 'data')) AS data_bytes,
        (SELECT sum(bytes) FROM temp.tally_size) AS bytes,
        (SELECT sum(count) FROM temp.tally_size) AS sized
)
-- Logs without times have no run time.
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
    WHERE timed > 0 OR self > 0
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
-- part: states
WITH counts AS (
    SELECT
        (SELECT sum(t.last_time - t.first_time) FROM temp.selection AS x
            CROSS JOIN main.trace AS t ON t.id = x.trace) AS run_time,
        (SELECT iif(min(t.clock_unit) = 'ns', 'duration', 'integer') FROM temp.selection AS x
            CROSS JOIN main.trace AS t ON t.id = x.trace) AS kind,
        sum_time(iif(n.text = 'running', t.time, 0)) AS running,
        sum_time(iif(n.text IN ('preempted', 'woken'), t.time, 0)) AS waiting,
        sum_time(iif(n.text = 'uninterruptible', t.time, 0)) AS uninterruptible,
        max(iif(n.text IN ('preempted', 'woken'), t.longest, 0)) AS longest,
        sum(iif(n.text = 'running', t.count, 0)) AS switches,
        sum(t.migrations) AS migrations,
        sum_time(t.interrupts) AS interrupts,
        sum_time(iif(n.kind = 'processor', t.time, 0)) AS idle,
        count(DISTINCT iif(n.kind = 'state', a.trace || '/' || ifnull(a.tid, a.name), NULL)) AS threads,
        count(DISTINCT iif(n.kind = 'processor' OR n.text = 'running', t.processor, NULL)) AS processors
    FROM temp.tally_state AS t
    JOIN main.name AS n ON n.id = t.operation
    LEFT JOIN main.actor AS a ON a.id = t.actor
)
SELECT 'run time' AS attribute, ifnull(run_time, 0) AS value, kind AS _kind FROM counts
UNION ALL SELECT 'threads', threads, 'integer' FROM counts
UNION ALL SELECT 'processors', processors, 'integer' FROM counts
UNION ALL SELECT 'time on processors', ifnull(running, 0), kind FROM counts
UNION ALL SELECT 'time of idle processors', ifnull(idle, 0), kind FROM counts
UNION ALL SELECT 'time in interrupts', ifnull(interrupts, 0), kind FROM counts
UNION ALL SELECT 'time waiting for a processor', ifnull(waiting, 0), kind FROM counts
UNION ALL SELECT 'longest wait for a processor', ifnull(longest, 0), kind FROM counts
UNION ALL SELECT 'uninterruptible time', ifnull(uninterruptible, 0), kind FROM counts
UNION ALL SELECT 'switches', ifnull(switches, 0), 'integer' FROM counts
UNION ALL SELECT 'migrations', ifnull(migrations, 0), 'integer' FROM counts
UNION ALL SELECT 'log size', (SELECT sum(f.size) FROM temp.selection AS s
    CROSS JOIN main.source AS f ON f.trace = s.trace), 'bytes';
-- part: weights main
WITH
-- part: weights
-- include: weight-of
,
-- include: cost-of-calls
,
-- part: weights main
seen AS (
    SELECT DISTINCT n.kind, n.text, n.code
    FROM temp.tally_operation AS t
    JOIN main.name AS n ON n.id = t.operation
),
counts AS (
    SELECT
        (SELECT sum(e.time - s.time) FROM temp.selection AS x
            CROSS JOIN main.event AS s ON s.id = x.first_event
            CROSS JOIN main.event AS e ON e.id = x.last_event
            WHERE x.first_event <= x.last_event) AS run_time,
        (SELECT sum(count) FROM temp.tally_operation) AS events,
        (SELECT count(*) FROM seen) AS seen,
        (SELECT count(*) FROM seen WHERE code IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM temp.loggable_operation AS l WHERE l.code = seen.code)) AS outside,
        (SELECT count(DISTINCT code) FROM temp.loggable_operation) AS loggable,
        (SELECT min(by_default) FROM temp.loggable_operation) AS by_default,
        (SELECT count(DISTINCT actor) FROM temp.tally_operation) AS applications,
        (SELECT count(DISTINCT a.trace || ' ' || a.session) FROM temp.tally_operation AS t
            JOIN main.actor AS a ON a.id = t.actor) AS sessions,
        (SELECT sum(bytes) FROM temp.tally_size) AS bytes,
        (SELECT sum(count) FROM temp.tally_size) AS sized,
        (SELECT sum(count) FROM temp.tally_size WHERE size = 0) AS empty,
        (SELECT max(size) FROM temp.tally_size) AS largest
),
attributes (attribute, value, _kind) AS MATERIALIZED (
    SELECT 'run time', ifnull(run_time, 0), 'duration' FROM counts
    UNION ALL SELECT 'events', ifnull(events, 0), 'integer' FROM counts
    UNION ALL SELECT 'operations seen',
        iif(loggable = 0, seen,
            seen || ' of ' || loggable || iif(by_default, ' (default set)', '')), 'text'
        FROM counts
    UNION ALL SELECT 'operations seen outside that set', outside, 'integer' FROM counts
        WHERE outside > 0 AND loggable > 0
    UNION ALL SELECT 'applications', applications, 'integer' FROM counts
    UNION ALL SELECT 'sessions', sessions, 'integer' FROM counts
    UNION ALL SELECT 'mean argument size', 1.0 * bytes / sized, 'real bytes' FROM counts
    UNION ALL SELECT 'largest argument size', largest, 'bytes' FROM counts
    UNION ALL SELECT 'argument bytes', ifnull(bytes, 0), 'bytes' FROM counts
    UNION ALL SELECT 'calls without arguments', ifnull(empty, 0), 'integer' FROM counts
    UNION ALL SELECT 'share of calls without arguments', 1.0 * ifnull(empty, 0) / sized, 'share'
        FROM counts
    UNION ALL SELECT 'bytes a record', 12 + 1.0 * bytes / sized, 'real bytes' FROM counts
        WHERE sized > 0 AND NOT EXISTS (
            SELECT 1 FROM temp.selection AS s
            CROSS JOIN main.trace AS t ON t.id = s.trace
            WHERE t.format <> 'palmist')
    UNION ALL SELECT 'log size', (SELECT sum(f.size) FROM temp.selection AS s
        CROSS JOIN main.source AS f ON f.trace = s.trace), 'bytes'
-- part: weights
    UNION ALL SELECT 'cost', (SELECT sum(cost) FROM costed), 'real ' || unit FROM temp.weight_unit
-- part: weights main
),
less (attribute) AS (VALUES
    ('operations seen outside that set'), ('largest argument size'), ('calls without arguments')
)
SELECT attribute, value,
    iif(attribute = 'run time', (SELECT count(*) FROM attributes WHERE attribute IN less), 0) AS _more, _kind
FROM attributes
WHERE :brief IS NULL OR attribute NOT IN less;
-- remark
SELECT 'operations seen: of the default set, all loggable system calls of Palm OS up to 3.5 (the thesis counts 881, 735 of them logged); '
    || 'loggable: in the configuration sets those of a study'
WHERE (SELECT min(by_default) FROM temp.loggable_operation) = 1;
-- include: outlying-remark
-- include: unpaired-calls
-- part: weights
-- include: weights-remark
