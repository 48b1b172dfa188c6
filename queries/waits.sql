-- report: waits
-- page: 20
-- question: What do threads wait for?
-- kinds: calls
-- needs: duration=call
-- needs: value=result
-- plot: waits
-- order: total
-- worth: total share max calls
-- compare: times calls=calls time=total
-- by: file
-- title: What threads wait for, by file
-- tally: call
-- needs: object=file
-- key: thread waits_for name file
-- by: program
-- title: What programs wait for
-- tally: call_descriptor
-- key: program waits_for name
-- by: operation
-- title: What threads wait for
-- tally: call_descriptor
-- when: by = operation by default
-- key: thread waits_for name
-- by: file operation
-- column: thread text - - the thread
-- by: program
-- column: program text - - the name of the process, without its number
-- by: all
-- column: waits_for text - - what the call waits for
-- column: name text - - what it is called in the log
-- by: file
-- column: file path - - the file; none where it is not known
-- by: all
-- column: calls int - - how many calls
-- column: total duration ns less time in it and in all that it called
-- column: max duration ns less the longest
-- column: share share fraction - share of all
WITH
-- include: call-waits
,
-- by: file
-- Rows are grouped by the first file of a name, and not by the text; NULL of a descriptor without one.
names (name, named) AS MATERIALIZED (
    SELECT o.name, min(o.id) FROM temp.selection AS s CROSS JOIN main.object AS o ON o.trace = s.trace GROUP BY o.name
),
files (id, named) AS MATERIALIZED (
    SELECT o.id, n.named
    FROM temp.selection AS s
    CROSS JOIN main.object AS o ON o.trace = s.trace
    LEFT JOIN names AS n ON n.name = o.name
),
-- by: all
waited AS MATERIALIZED (
    SELECT actor, operation,
-- by: file
        f.named AS object,
-- by: all
        waits_for, sum(timed) AS calls, sum_time(total) AS total, max(most) AS most
    FROM waiting AS w
-- by: file
    LEFT JOIN files AS f ON f.id = w.object
-- by: all
    WHERE waits_for IS NOT NULL AND total IS NOT NULL
-- by: operation program
    GROUP BY actor, operation, waits_for
-- by: file
    GROUP BY actor, operation, f.named, waits_for
-- by: all
),
-- From the first call of a thread to the end of its last.
lived AS MATERIALIZED (
    SELECT actor, CAST(max(last) - min(first) AS INTEGER) AS time FROM temp.tally_call GROUP BY actor
)
-- by: file operation
-- Threads that only wait, and for no storage; one alone is not put together with others.
, idling AS MATERIALIZED (
    SELECT w.actor
    FROM waited AS w
    CROSS JOIN lived AS l ON l.actor = w.actor
    CROSS JOIN operations AS n ON n.id = w.operation
    WHERE :brief AND w.waits_for IN ('lock', 'event', 'time', 'signal', 'restarted', 'process', 'binder')
        AND n.name NOT IN ('io_getevents', 'io_pgetevents', 'io_uring_enter')
    GROUP BY w.actor
    HAVING sum_time(w.total) >= 0.95 * max(l.time) AND max(l.time) > 0
),
idle AS MATERIALIZED (SELECT actor FROM idling WHERE (SELECT count(*) FROM idling) > 1)
SELECT
    a.label AS thread,
    w.waits_for AS waits_for,
    n.name AS name,
-- by: file
    o.name AS file,
-- by: file operation
    w.calls,
    w.total AS total,
    w.most AS max,
    w.total / nullif(1.0 * l.time, 0.0) AS share,
    NULL AS _more
FROM waited AS w
CROSS JOIN temp.thread AS a ON a.id = w.actor
CROSS JOIN lived AS l ON l.actor = w.actor
CROSS JOIN operations AS n ON n.id = w.operation
-- by: file
LEFT JOIN main.object AS o ON o.id = w.object
-- by: file operation
WHERE w.actor NOT IN idle
UNION ALL
SELECT printf('%d idle threads', count(DISTINCT w.actor)),
    iif(min(w.waits_for) = max(w.waits_for), min(w.waits_for), 'several'),
    iif(min(n.name) = max(n.name), min(n.name), 'several'),
-- by: file
    iif(count(w.object) > 0, 'several', NULL),
-- by: file operation
    sum(w.calls), sum_time(w.total), max(w.most),
    sum_time(w.total) / (SELECT 1.0 * sum_time(time) FROM lived WHERE actor IN idle),
    count(*) - 1
FROM waited AS w
CROSS JOIN operations AS n ON n.id = w.operation
WHERE w.actor IN idle
HAVING count(*) > 0
-- by: operation
ORDER BY _more, total DESC, thread, waits_for, name
-- by: file
ORDER BY _more, total DESC, thread, waits_for, name, file
-- by: program
SELECT
    a.label AS program,
    w.waits_for,
    n.name,
    sum(w.calls),
    sum_time(w.total) AS total,
    max(w.most),
    sum_time(w.total) / nullif(1.0 * p.time, 0.0)
FROM waited AS w
CROSS JOIN temp.program AS a ON a.id = w.actor
CROSS JOIN operations AS n ON n.id = w.operation
JOIN (
    SELECT g.label, sum_time(l.time) AS time
    FROM lived AS l
    CROSS JOIN temp.program AS g ON g.id = l.actor
    GROUP BY 1
) AS p ON p.label = a.label
GROUP BY 1, 2, 3
ORDER BY total DESC, program, w.waits_for, n.name
-- by: all
LIMIT ifnull(:rows, -1);
-- by: program
-- remark definition
SELECT 'share: of the time of the program''s threads, each from the start of its first call to the end of its last';
-- by: file operation
-- remark definition
SELECT 'share: of the thread''s time, from the start of its first call to the end of its last';
-- by: all
-- remark excluded
WITH
-- include: call-waits
SELECT printf('excluded: %d calls that do not wait (%s s of %s s in calls)', calls,
    ifnull(three_digits(iif(:people, part, NULL)), printf('%.6f', part)),
    ifnull(three_digits(iif(:people, whole, NULL)), printf('%.6f', whole)))
FROM (
    SELECT
        sum(iif(waits_for IS NULL, timed, 0)) AS calls,
        sum_time(iif(waits_for IS NULL, total, 0)) / 1e9 AS part,
        sum_time(total) / 1e9 AS whole
    FROM waiting
)
WHERE calls > 0 OR part > 0;
-- remark excluded
SELECT printf('excluded: %d of %d calls without a duration', sum(calls - timed), sum(calls))
FROM temp.tally_call
WHERE returned
HAVING sum(calls - timed) > 0;
-- include: not-returned-remark
