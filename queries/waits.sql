-- report: waits
-- question: What do threads wait for?
-- part: cdf
-- title: Times of calls that wait
-- when: cdf
-- kinds: calls
-- instead: stages
-- instead: blocked
-- needs: duration=call
-- needs: object=file
-- tally: call_wait_times
-- plot: ecdf
-- curves: 6
-- order: count
-- key: waits_for
-- column: waits_for text - - what the call waits for, and its name in the log
-- include: percentiles-columns
-- include: curve-columns
--
-- Waiting calls and their categories, as in waits.sql.
-- by: file program operation
-- page: 20
-- kinds: calls
-- needs: duration=call
-- needs: object=file
-- plot: waits
-- order: total
-- fact: times columns share
-- worth: total share max calls
-- compare: times calls=calls time=total
-- by: file
-- title: What threads wait for, by file
-- tally: call_wait_file call_operation
-- key: thread waits_for name file
-- by: program
-- title: What programs wait for
-- tally: call_wait call_operation
-- key: program waits_for name
-- by: operation
-- title: What threads wait for
-- tally: call_wait call_operation busy_beside?
-- when: by = operation by default
-- key: thread waits_for name
-- by: file operation
-- column: thread text - - the thread
-- by: program
-- column: program text - - the name of the process, without its number
-- by: file program operation
-- column: waits_for text - - what the call waits for
-- column: name text - - name in the log
-- by: file
-- column: file path - - the file; none if unknown
-- by: file program operation
-- column: calls int - - number of calls
-- column: total duration ns less time of the calls, with their callees
-- column: max duration ns less maximum
-- by: file operation
-- column: share share fraction - share of the thread's time
-- by: program
-- column: share share fraction - share of the time of the program's threads
-- part: cdf
SELECT
    d.name AS waits_for,
    -- include: percentiles
    ,
    -- include: curve
-- include: curve-from
ORDER BY d.count DESC, d.name, c.value
LIMIT ifnull(:rows, -1);
-- by: file operation
WITH
-- Threads that only wait, and not for storage. If there are several, they are merged.
idling AS MATERIALIZED (
    SELECT w.actor
    FROM temp.tally_call_wait AS w
    CROSS JOIN main.name AS n ON n.id = w.operation
    WHERE :brief AND w.waits_for IN ('lock', 'event', 'time', 'signal', 'restarted', 'process', 'binder')
        AND n.text NOT IN ('io_getevents', 'io_pgetevents', 'io_uring_enter')
    GROUP BY w.actor
    HAVING sum_time(w.total) >= 0.95 * max(w.time) AND max(w.time) > 0
),
idle AS MATERIALIZED (SELECT actor FROM idling WHERE (SELECT count(*) FROM idling) > 1)
SELECT
    a.label AS thread,
    w.waits_for,
    n.text AS name,
-- by: file
    o.name AS file,
-- by: file operation
    w.calls,
    w.total,
    w.most AS max,
    w.total / nullif(1.0 * w.time, 0.0) AS share,
    NULL AS _more
FROM temp.tally_call_wait AS w
CROSS JOIN temp.thread AS a ON a.id = w.actor
CROSS JOIN main.name AS n ON n.id = w.operation
-- by: file
LEFT JOIN main.object AS o ON o.id = w.object
-- by: file operation
WHERE w.waits_for IS NOT NULL AND (:brief IS NULL OR w.actor NOT IN idle)
-- The analysis returns rows in the order of the report.
UNION ALL
SELECT counted(count(DISTINCT w.actor), 'idle thread{s}'),
    iif(min(w.waits_for) = max(w.waits_for), min(w.waits_for), 'several'),
    iif(min(n.text) = max(n.text), min(n.text), 'several'),
-- by: file
    iif(count(o.name) > 0, 'several', NULL),
-- by: file operation
    sum(w.calls), sum_time(w.total), max(w.most),
    sum_time(w.total) / (SELECT 1.0 * sum_time(time) FROM temp.thread_life WHERE actor IN idle),
    count(*) - 1
FROM temp.tally_call_wait AS w
CROSS JOIN main.name AS n ON n.id = w.operation
-- by: file
LEFT JOIN main.object AS o ON o.id = w.object
-- by: file operation
WHERE :brief AND w.actor IN idle
HAVING count(*) > 0
-- by: program
SELECT
    a.label AS program,
    w.waits_for,
    n.text,
    sum(w.calls),
    sum_time(w.total) AS total,
    max(w.most),
    sum_time(w.total) / nullif(1.0 * p.time, 0.0)
FROM temp.tally_call_wait AS w
CROSS JOIN temp.program AS a ON a.id = w.actor
CROSS JOIN main.name AS n ON n.id = w.operation
JOIN (
    SELECT g.label, sum_time(l.time) AS time
    FROM temp.thread_life AS l
    CROSS JOIN temp.program AS g ON g.id = l.actor
    GROUP BY 1
) AS p ON p.label = a.label
WHERE w.waits_for IS NOT NULL
GROUP BY 1, 2, 3
ORDER BY total DESC, program, w.waits_for, n.text
-- by: file program operation
LIMIT ifnull(:rows, -1);
-- by: program
-- remark definition
SELECT 'share: of the time of the program''s threads, each from the start of its first call to the end of its last';
-- by: operation
-- remark
SELECT printf('fsync or fdatasync was under way for %.9g %s; the device worked on an I/O for %.9g %s of that',
    sum_time(b.asked) / u.divisor, u.unit, sum_time(b.device) / u.divisor, u.unit)
FROM temp.tally_busy_beside AS b
JOIN (SELECT id, iif(clock_unit = 'ns', 'ms', clock_unit) AS unit, iif(clock_unit = 'ns', 1e6, 1) AS divisor
    FROM main.trace) AS u ON u.id = b.trace
GROUP BY u.unit;
-- by: file operation
-- remark definition
SELECT 'share: of the thread''s time, from the start of its first call to the end of its last';
-- The threads of `idling` above, also where --top leaves their row out.
-- remark
SELECT printf('%d idle threads wait 95 %% of their time or more, not for storage; they share one row, which --top may cut off; --all gives each a row',
    count(*))
FROM (
    SELECT w.actor
    FROM temp.tally_call_wait AS w
    CROSS JOIN main.name AS n ON n.id = w.operation
    WHERE :brief AND w.waits_for IN ('lock', 'event', 'time', 'signal', 'restarted', 'process', 'binder')
        AND n.text NOT IN ('io_getevents', 'io_pgetevents', 'io_uring_enter')
    GROUP BY w.actor
    HAVING sum_time(w.total) >= 0.95 * max(w.time) AND max(w.time) > 0
)
HAVING count(*) > 1;
-- by: file program operation
-- remark excluded
SELECT printf('excluded: %s (%s s of %s s in calls)', counted(calls, 'call{ that never waits|s that never wait}'),
    ifnull(three_digits(iif(:people, part, NULL)), printf('%.6f', part)),
    ifnull(three_digits(iif(:people, whole, NULL)), printf('%.6f', whole)))
FROM (
    SELECT calls, total / 1e9 AS part, (SELECT sum_time(total) FROM temp.tally_call WHERE returned) / 1e9 AS whole
    FROM temp.tally_call_wait
    WHERE waits_for IS NULL
)
WHERE calls > 0 OR part > 0;
-- remark excluded
SELECT printf('excluded: %d of %s without a duration', sum(calls - timed), counted(sum(calls), 'call{s}'))
FROM temp.tally_call
WHERE returned
HAVING sum(calls - timed) > 0;
-- include: interrupted-remark
-- include: not-returned-remark
