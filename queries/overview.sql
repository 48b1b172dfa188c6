-- report: overview
-- question: What is in the trace, and what stands at the top?
-- title: Overview
-- plot: none
-- part: counters
-- kinds: samples
-- needs: value=counter
-- events: yes
-- part: io
-- kinds: io
-- tally: size process latency letters
-- fact: flushes rows figure = flushes
-- fact: reads-and-writes rows figure = bytes read, bytes written
-- fact: sizes rows figure = bytes read, bytes written, most frequent size
-- fact: processes rows figure = processes
--
-- I/Os are those of the counted action: completions, or the action of --action.
-- part: results
-- kinds: results
-- events: yes
-- part: samples
-- kinds: samples
-- needs: value=load
-- events: yes
-- part: spans
-- kinds: spans
-- tally: span
--
-- A CPU profile has no calls: several samples in a row with the same stack are one event.
-- part: states
-- kinds: states
-- tally: state
-- part: main
-- kinds: calls
-- events: yes
-- tally: call_operation copied call_total
-- fact: threads rows figure = threads
--
-- Times, files and errors are omitted if the log lacks them.
-- part: io main
-- fact: times rows figure = run time
-- part: all
-- blank: most
-- column: figure text - - name of the figure
-- column: most text - - what has the largest part of the figure, or where in the log it is
-- column: value any - - the value
-- part: counters
WITH by_counter AS MATERIALIZED (
    SELECT n.text AS name, count(*) AS samples, min(e.value) AS least, max(e.value) AS most
    FROM temp.selected_event AS e
    CROSS JOIN main.name AS n ON n.id = e.operation
    GROUP BY n.text
)
SELECT 'counters' AS figure,
    (SELECT group_concat(printf('%s %lld to %lld', name, least, most), ', ')
        FROM (SELECT * FROM by_counter ORDER BY samples DESC, name LIMIT 3)) AS most,
    (SELECT count(*) FROM by_counter) AS value, 'integer' AS _kind
UNION ALL SELECT 'samples', NULL, (SELECT ifnull(sum(samples), 0) FROM by_counter), 'integer'
UNION ALL SELECT 'run time', NULL, (SELECT ifnull(sum(t.last_time - t.first_time), 0)
    FROM temp.selection AS x CROSS JOIN main.trace AS t ON t.id = x.trace),
    (SELECT iif(min(t.clock_unit) = 'ns', 'duration', 'integer')
        FROM temp.selection AS x CROSS JOIN main.trace AS t ON t.id = x.trace)
UNION ALL SELECT 'log size', NULL, (SELECT sum(f.size) FROM temp.selection AS s
    CROSS JOIN main.source AS f ON f.trace = s.trace), 'bytes';
-- part: io
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
UNION ALL SELECT 'flushes', printf('%s preflush, %s completion%s of flush requests',
        iif(:people, people(own, 'integer', 'ns'), own),
        iif(:people, people(flushes - own, 'integer', 'ns'), flushes - own),
        iif(flushes - own = 1, '', 's')), flushes, 'integer'
    FROM counts, (SELECT ifnull(sum(count), 0) AS own FROM temp.tally_letters
        WHERE io_class(letters) = 'flush' AND io_flag(letters, 'flush'))
    WHERE flushes > 0
UNION ALL SELECT 'most frequent size', printf('%.0f %% of I/Os', 100.0 * s.count / c.count), size,
    'bytes' FROM common_size AS s, counts AS c
UNION ALL SELECT 'processes',
    (SELECT printf('%s %.0f %% of I/Os', iif(b.process = '', 'no name', b.process), 100.0 * b.count / c.count)
        FROM by_process AS b ORDER BY b.count DESC, b.process LIMIT 1), (
        SELECT count(DISTINCT process) FROM temp.tally_process WHERE process <> ''), 'integer'
    FROM counts AS c WHERE EXISTS (SELECT 1 FROM by_process WHERE process <> '')
UNION ALL SELECT figure, most, value, 'duration' FROM (
    SELECT class || ' latency, median' AS figure,
        iif(:people, people(count, 'integer', 'ns'), count) || iif(count = 1, ' I/O', ' I/Os') AS most,
        p50 AS value,
        place FROM timed
    UNION ALL SELECT class || ' latency, p99', NULL, p99, place FROM timed
    UNION ALL SELECT class || ' latency, longest', NULL, max, place FROM timed
    ORDER BY place
)
UNION ALL SELECT 'log size', NULL, (SELECT sum(f.size) FROM temp.selection AS s
    CROSS JOIN main.source AS f ON f.trace = s.trace), 'bytes';
-- include: latency-remark
-- part: results
WITH counts AS (
    SELECT count(*) AS measured, count(DISTINCT e.actor) AS tests FROM temp.selected_event AS e
)
SELECT 'values' AS figure, NULL AS most, measured AS value, 'integer' AS _kind FROM counts
UNION ALL SELECT 'tests', NULL, tests, 'integer' FROM counts WHERE tests > 0 OR measured = 0
UNION ALL SELECT 'log size', NULL, (SELECT sum(f.size) FROM temp.selection AS s
    CROSS JOIN main.source AS f ON f.trace = s.trace), 'bytes';
-- part: samples
WITH counts AS (
    SELECT count(*) AS samples, count(DISTINCT e.actor) AS processes FROM temp.selected_event AS e
),
busiest AS (
    SELECT a.name, e.value / 1e6 AS load FROM temp.selected_event AS e
    LEFT JOIN main.actor AS a ON a.id = e.actor
    WHERE e.value IS NOT NULL ORDER BY e.value DESC, e.id LIMIT 1
),
largest AS (
    SELECT a.name, e.size FROM temp.selected_event AS e
    LEFT JOIN main.actor AS a ON a.id = e.actor
    WHERE e.size IS NOT NULL ORDER BY e.size DESC, e.id LIMIT 1
)
SELECT 'samples' AS figure, NULL AS most, samples AS value, 'integer' AS _kind FROM counts
UNION ALL SELECT 'processes', NULL, processes, 'integer' FROM counts
UNION ALL SELECT 'run time', NULL, (SELECT ifnull(sum(e.time - b.time), 0)
        FROM temp.selection AS x
        CROSS JOIN main.event AS b ON b.id = x.first_event
        CROSS JOIN main.event AS e ON e.id = x.last_event
        WHERE x.first_event <= x.last_event), 'duration'
UNION ALL SELECT 'highest CPU load', name, load, 'share' FROM busiest
UNION ALL SELECT 'most memory', name, size, 'bytes' FROM largest
UNION ALL SELECT 'log size', NULL, (SELECT sum(f.size) FROM temp.selection AS s
    CROSS JOIN main.source AS f ON f.trace = s.trace), 'bytes';
-- part: spans
WITH by_function AS MATERIALIZED (
    SELECT n.text AS name, sum(t.calls) AS calls, sum_time(t.self) AS self, max(t.most) AS longest
    FROM temp.tally_span AS t
    JOIN main.name AS n ON n.id = t.operation
    GROUP BY n.text
),
sums AS (
    SELECT sum(calls) AS calls, sum_time(self) AS self, ifnull(sum(calls > 0), 0) AS functions FROM by_function
),
unit AS (
    SELECT min(t.clock_unit) AS name, iif(min(t.clock_unit) = 'ns', 'duration', 'integer') AS kind
    FROM temp.selection AS x
    CROSS JOIN main.trace AS t ON t.id = x.trace
),
self_time AS (
    SELECT unit.name, s.self, kind,
        (SELECT group_concat(printf('%s %.0f %%', name, 100.0 * b.self / s.self), ', ')
            FROM (SELECT * FROM by_function WHERE self > 0 ORDER BY self DESC, name LIMIT 3) AS b) AS most
    FROM sums AS s, unit
    WHERE s.self > 0
)
SELECT 'samples' AS figure, most, self AS value, kind AS _kind FROM self_time WHERE name = 'samples'
UNION ALL SELECT 'calls',
    (SELECT group_concat(printf('%s %.0f %%', name, 100.0 * b.calls / s.calls), ', ')
        FROM (SELECT * FROM by_function WHERE calls > 0 ORDER BY calls DESC, name LIMIT 3) AS b) AS most,
    ifnull(calls, 0) AS value, 'integer' AS _kind
    FROM sums AS s, unit WHERE unit.name IS NOT 'samples'
UNION ALL SELECT 'threads', NULL, (SELECT count(DISTINCT actor) FROM temp.tally_span WHERE calls > 0), 'integer'
UNION ALL SELECT 'functions', NULL, functions, 'integer' FROM sums
UNION ALL SELECT 'run time', NULL, (SELECT ifnull(sum(iif(x.last_event = t.last_event AND x.to_end, t.last_time, e.time) - b.time), 0)
        FROM temp.selection AS x
        CROSS JOIN main.trace AS t ON t.id = x.trace
        CROSS JOIN main.event AS b ON b.id = x.first_event
        CROSS JOIN main.event AS e ON e.id = x.last_event
        WHERE x.first_event <= x.last_event), kind
    FROM unit WHERE name NOT IN ('records', 'samples')
UNION ALL SELECT 'time in calls', most, self, kind FROM self_time WHERE name <> 'samples'
UNION ALL SELECT 'longest call', b.name, b.longest, kind
    FROM (SELECT * FROM by_function WHERE longest IS NOT NULL ORDER BY longest DESC, name LIMIT 1) AS b, unit
    WHERE unit.name IS NOT 'samples'
UNION ALL SELECT 'log size', NULL, (SELECT sum(f.size) FROM temp.selection AS s
    CROSS JOIN main.source AS f ON f.trace = s.trace), 'bytes';
-- part: states
-- A thread has its last name: a program that it executes makes it another actor.
WITH by_tid AS MATERIALIZED (
    SELECT
        max(a.id) AS id,
        sum_time(iif(n.text = 'running', t.time, 0)) AS running,
        sum_time(iif(n.text IN ('preempted', 'woken'), t.time, 0)) AS waiting,
        max(iif(n.text IN ('preempted', 'woken'), t.longest, 0)) AS longest,
        sum(iif(n.text = 'running', t.count, 0)) AS switches
    FROM temp.tally_state AS t
    JOIN main.name AS n ON n.id = t.operation
    JOIN main.actor AS a ON a.id = t.actor
    WHERE n.kind = 'state'
    GROUP BY a.trace, ifnull(a.tid, a.name)
),
by_thread AS MATERIALIZED (
    SELECT b.*, a.label AS name FROM by_tid AS b JOIN temp.thread AS a ON a.id = b.id
),
sums AS (
    SELECT count(*) AS threads, sum_time(running) AS running, sum_time(waiting) AS waiting, sum(switches) AS switches
    FROM by_thread
),
processor AS (
    SELECT
        t.processor,
        sum_time(iif(n.text = 'running', t.time, 0)) AS busy,
        total(t.time) AS known
    FROM temp.tally_state AS t
    JOIN main.name AS n ON n.id = t.operation
    WHERE n.kind = 'processor' OR n.text = 'running'
    GROUP BY t.processor
),
unit AS (
    SELECT iif(min(t.clock_unit) = 'ns', 'duration', 'integer') AS kind
    FROM temp.selection AS x
    CROSS JOIN main.trace AS t ON t.id = x.trace
)
SELECT 'threads' AS figure, NULL AS most, threads AS value, 'integer' AS _kind FROM sums
UNION ALL SELECT 'run time', NULL, (SELECT ifnull(sum(t.last_time - t.first_time), 0)
    FROM temp.selection AS x CROSS JOIN main.trace AS t ON t.id = x.trace), kind FROM unit
UNION ALL SELECT 'processors',
    (SELECT group_concat(printf('%d busy %.0f %%', processor, 100 * busy / nullif(known, 0)), ', ')
        FROM (SELECT * FROM processor ORDER BY processor LIMIT 3)),
    (SELECT count(*) FROM processor), 'integer'
UNION ALL SELECT 'time on processors',
    (SELECT group_concat(printf('%s %.0f %%', name, 100.0 * b.running / nullif(s.running, 0)), ', ')
        FROM (SELECT * FROM by_thread WHERE running > 0 ORDER BY running DESC, name LIMIT 3) AS b),
    running, kind FROM sums AS s, unit
UNION ALL SELECT 'time waiting for one',
    (SELECT group_concat(printf('%s %.0f %%', name, 100.0 * b.waiting / nullif(s.waiting, 0)), ', ')
        FROM (SELECT * FROM by_thread WHERE waiting > 0 ORDER BY waiting DESC, name LIMIT 3) AS b),
    waiting, kind FROM sums AS s, unit
UNION ALL SELECT 'longest wait for one', iif(b.longest > 0, b.name, NULL), b.longest, kind
    FROM (SELECT * FROM by_thread ORDER BY longest DESC, name LIMIT 1) AS b, unit
UNION ALL SELECT 'switches', NULL, switches, 'integer' FROM sums
UNION ALL SELECT 'log size', NULL, (SELECT sum(f.size) FROM temp.selection AS s
    CROSS JOIN main.source AS f ON f.trace = s.trace), 'bytes';
-- part: main
WITH
named AS MATERIALIZED (
    SELECT n.text AS name, t.calls, t.failed, t.returned, t.timed, t.total, t.bytes, t.error
    FROM temp.tally_call AS t
    JOIN main.name AS n ON n.id = t.operation
),
by_call AS MATERIALIZED (
    SELECT name, sum(calls) AS calls, sum_time(total) AS total, sum_time(bytes) AS bytes
    FROM named
    GROUP BY name
),
-- A copying call is a write here; its read comes from tally_copied.
directed (does, bytes) AS (
    SELECT iif(call_does(name) = 'copy', 'write', call_does(name)), bytes
    FROM by_call
    WHERE calls > 0
    UNION ALL
    SELECT 'read', bytes FROM temp.tally_copied
),
sums AS MATERIALIZED (
    SELECT sum(calls) AS calls, sum(timed) AS timed, sum_time(total) AS total,
        sum(iif(failed, calls, 0)) AS failed, sum(iif(returned, calls, 0)) AS returned,
        EXISTS (SELECT 1 FROM temp.selection AS x JOIN main.meaning AS m ON m.trace = x.trace
            WHERE m."column" = 'value' AND m.what = 'result') AS has_results
    FROM named
),
by_file AS MATERIALIZED (
    SELECT o.name, sum(t.calls) AS calls, sum_time(t.total) AS total
    FROM temp.call_total AS t
    JOIN main.object AS o ON o.id = t.object
    WHERE o.name IS NOT NULL
    GROUP BY o.name
),
by_error AS (
    SELECT ifnull(e.text, 'no error code') AS error, t.name, sum(t.calls) AS calls
    FROM named AS t
    LEFT JOIN main.name AS e ON e.id = t.error
    WHERE t.failed
    GROUP BY 1, 2
    ORDER BY 3 DESC, 1, 2
    LIMIT 3
),
-- Range of events with the longest call: a chunk of the trace's columns, if it has any.
longest_of AS (
    SELECT s.trace, ifnull(s.first_event + c.first, s.first_event) AS first,
        ifnull(s.first_event + c.first + c.count - 1, s.last_event) AS last
    FROM temp.selection AS s
    LEFT JOIN main.event_column AS c ON NOT s.filtered AND s.whole AND c.trace = s.trace
        AND c.field = 'duration' AND c.first = (
            SELECT b.first FROM main.event_column AS b
            WHERE b.trace = s.trace AND b.field = 'duration'
            ORDER BY b.most DESC, b.first LIMIT 1)
),
longest AS MATERIALIZED (
    SELECT e.duration, n.text AS name, o.name AS file, a.label AS thread, e.time
    FROM longest_of AS l
    CROSS JOIN temp.selected_event AS e ON e.trace = l.trace AND e.id BETWEEN l.first AND l.last
    LEFT JOIN main.name AS n ON n.id = e.operation
    LEFT JOIN main.object AS o ON o.id = e.object
    LEFT JOIN temp.thread_label AS a ON a.id = e.actor
    WHERE e.duration IS NOT NULL
    ORDER BY e.duration DESC, e.id
    LIMIT 1
)
SELECT 'calls' AS figure,
    (SELECT group_concat(printf('%s %.0f %%', name, 100.0 * b.calls / s.calls), ', ')
        FROM (SELECT * FROM by_call WHERE calls > 0 ORDER BY calls DESC, name LIMIT 3) AS b) AS most,
    ifnull(calls, 0) AS value, 'integer' AS _kind
    FROM sums AS s
UNION ALL SELECT 'threads', NULL, (SELECT sum(threads) FROM temp.call_threads), 'integer'
UNION ALL SELECT 'run time', NULL, (SELECT ifnull(sum(e.time - b.time), 0) FROM temp.selection AS x
        CROSS JOIN main.event AS b ON b.id = x.first_event
        CROSS JOIN main.event AS e ON e.id = x.last_event
        WHERE x.first_event <= x.last_event), 'duration'
    WHERE NOT EXISTS (SELECT 1 FROM temp.selection AS x JOIN main.trace AS t ON t.id = x.trace
        WHERE t.clock_unit = 'records')
UNION ALL SELECT 'time in calls',
    (SELECT group_concat(printf('%s %.0f %%', name, 100.0 * b.total / s.total), ', ')
        FROM (SELECT * FROM by_call WHERE total > 0 ORDER BY total DESC, name LIMIT 3) AS b),
    total, 'duration'
    FROM sums AS s WHERE timed > 0 OR total > 0
UNION ALL SELECT 'longest call',
    name || ifnull(' on ' || file, '') || ifnull(' by ' || thread, '') || iif(EXISTS (
            SELECT 1 FROM temp.selection AS s JOIN main.meaning AS m ON m.trace = s.trace
            WHERE m.what = 'no times'), '', printf(', at %.6f s', time / 1e9)), duration, 'duration'
    FROM longest
UNION ALL SELECT 'bytes read', NULL, sum_time(iif(does = 'read', bytes, 0)), 'bytes'
    FROM directed HAVING sum(does = 'read') > 0
UNION ALL SELECT 'bytes written', NULL, sum_time(iif(does = 'write', bytes, 0)), 'bytes'
    FROM directed HAVING sum(does = 'write') > 0
UNION ALL SELECT 'synchronisations',
    group_concat(printf('%s %s', name, iif(:people, people(calls, 'integer', 'ns'), calls)), ', '),
    sum(calls), 'integer'
    FROM (SELECT * FROM by_call
        WHERE name IN ('fsync', 'fdatasync', 'sync', 'syncfs', 'sync_file_range', 'msync')
        ORDER BY calls DESC, name)
    HAVING sum(calls) > 0
UNION ALL SELECT 'files',
    (SELECT iif(b.total > 0,
            printf('%s %.0f %% of the time in calls', b.name,
                100.0 * b.total / (SELECT total FROM sums)),
            printf('%s %.0f %% of calls', b.name, 100.0 * b.calls / (SELECT calls FROM sums)))
        FROM by_file AS b ORDER BY b.total DESC, b.calls DESC, b.name LIMIT 1), sum(calls > 0), 'integer'
    FROM by_file HAVING count(*) > 0
UNION ALL SELECT 'failed calls',
    printf('%.1f %% of %s', 100.0 * failed / returned,
        iif(:people, people(returned, 'integer', 'ns'), returned)) || ifnull((
        SELECT ': ' || group_concat(printf('%s %s %s', name, error,
            iif(:people, people(calls, 'integer', 'ns'), calls)), ', ') FROM by_error), ''),
    failed, 'integer'
    FROM sums WHERE returned > 0 AND has_results
UNION ALL SELECT 'log size', NULL, (SELECT sum(f.size) FROM temp.selection AS s
    CROSS JOIN main.source AS f ON f.trace = s.trace), 'bytes';
-- include: not-returned-remark
-- include: interrupted-remark
