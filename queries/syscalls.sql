-- report: syscalls
-- page: 10
-- question: Which system calls take the most time?
-- kinds: calls
-- needs: object=file
-- fact: results columns errors
-- fact: fast-calls columns min mean p50 p90 p99
-- plot: syscalls
-- order: total
-- worth: calls errors total share max p99 mean p50 p90
-- compare: times calls=calls time=total
-- by: file
-- title: System calls, by file
-- fact: files report
-- tally: call_file times_file
-- key: file
-- column: file path - - the file; none if unknown
-- by: process
-- title: System calls, by process
-- fact: processes report
-- tally: call_thread times_process
-- key: process
-- column: process text - - the process
-- by: program
-- title: System calls, by program
-- fact: processes report
-- tally: call_thread times_program
-- key: program
-- column: program text - - the name of the process, without its number
-- by: thread
-- title: System calls, by thread
-- fact: threads report
-- tally: call_thread times_thread
-- key: thread
-- column: thread text - - the thread
-- by: operation
-- title: System calls
-- when: by = operation by default
-- instead: functions
-- instead: latency
-- tally: call_operation times_operation
-- key: name
-- column: name text - - name in the log
-- by: all
-- column: calls int - - number of calls
-- column: errors int - less calls that failed
-- column: total duration ns less time of the calls, with their callees
-- column: min duration ns less minimum
-- column: mean duration ns less mean
-- column: p50 duration ns less median: smallest value that half of the values do not exceed
-- column: p90 duration ns less smallest value that 90 % of the values do not exceed
-- column: p99 duration ns less smallest value that 99 % of the values do not exceed
-- column: max duration ns less maximum
-- column: share share fraction - share of all
WITH counted AS MATERIALIZED (
    SELECT
-- by: operation
        ifnull(n.text, '') AS name,
-- by: file
        ifnull(o.name, '') AS name,
-- by: process program thread
        ifnull(a.label, '') AS name,
-- by: all
    -- Aggregates of temp.tally_call AS t, for returned calls.
    sum(t.calls) AS calls,
    sum(iif(t.failed, t.calls, 0)) AS errors,
    sum_time(t.total) AS total
    FROM temp.tally_call AS t
-- by: operation
    LEFT JOIN main.name AS n ON n.id = t.operation
-- by: file
    LEFT JOIN main.object AS o ON o.id = t.object
-- by: process
    LEFT JOIN temp.process AS a ON a.id = t.actor
-- by: program
    LEFT JOIN temp.program AS a ON a.id = t.actor
-- by: thread
    LEFT JOIN temp.thread AS a ON a.id = t.actor
-- by: all
    WHERE t.returned
    GROUP BY 1
)
-- Result columns, from `counted` and temp.distribution; then remarks.
SELECT
    c.name,
    c.calls,
    c.errors,
    c.total,
    d.min, d.mean, d.p50, d.p90, d.p99, d.max,
    c.total / nullif((SELECT total(total) FROM counted), 0.0) AS share
FROM counted AS c
LEFT JOIN temp.distribution AS d ON d.name = c.name
ORDER BY c.total DESC, c.calls DESC, c.name
LIMIT ifnull(:rows, -1);
-- include: percentiles-remark
-- remark
-- Of a log with layers below the system calls only. Where layers are left out, the first lines say so.
SELECT 'none of these is a system call: layer ' || group_concat(kind, ', ')
FROM (SELECT DISTINCT n.kind FROM temp.tally_call AS t JOIN main.name AS n ON n.id = t.operation ORDER BY 1)
WHERE NOT EXISTS (SELECT 1 FROM temp.selection AS s CROSS JOIN main.name AS n ON n.trace = s.trace
    WHERE n.kind IN ('syscall', 'trap'))
HAVING count(*) > 0;
-- remark excluded
-- In strace logs without -T, a call has a duration only if lines of another thread come between its
-- begin and end: these are the long calls.
SELECT printf('no duration: %d of %s, included in calls and not in times%s',
    sum(calls - timed), counted(sum(calls), 'call{s}'), iif(sum(timed) > 0 AND sum(timed) * 2 < sum(calls),
        printf('; total, mean and share are of the other %d%s', sum(timed),
            iif(EXISTS (SELECT 1 FROM temp.selection AS s CROSS JOIN main.trace AS t ON t.id = s.trace
                WHERE t.format = 'strace'),
                ' interrupted and resumed in strace -f, which are long; record with -T', '')),
        ''))
FROM temp.tally_call
WHERE returned
HAVING sum(calls - timed) > 0;
-- include: not-returned-remark
