-- report: why
-- page: 17
-- question: Why did calls take so long: processor, device, lock, what else?
-- kinds: calls spans
-- needs: duration=call log=states
-- options: with offset
-- order: time
-- by: cause waker
-- plot: none
-- by: file lock name process program thread
-- plot: why
-- by: cause
-- title: Where the time of calls went
-- tally: why_cause
-- key: cause
-- by: file
-- title: Where the time of calls went, by file
-- tally: why_file
-- needs: object=file
-- key: file cause
-- column: file path - - the file; none if unknown
-- by: lock
-- title: Where the time of calls on locks went, by lock
-- tally: why_lock
-- key: lock cause
-- column: lock text - - address of the futex in memory
-- by: name
-- title: Where the time of calls went, by call
-- when: by = name by default
-- tally: why
-- key: name cause
-- column: name text - - name in the log
-- by: process
-- title: Where the time of calls went, by process
-- tally: why_thread
-- key: process cause
-- column: process text - - the process
-- by: program
-- title: Where the time of calls went, by program
-- tally: why_thread
-- key: program cause
-- column: program text - - the program: processes of one name
-- by: thread
-- title: Where the time of calls went, by thread
-- tally: why_thread
-- key: thread cause
-- column: thread text - - the thread
-- by: waker
-- title: Where the time of calls went, by what woke them
-- tally: why_waker
-- key: waker cause
-- column: waker text - - thread or interrupt that woke the waiting threads; none: no thread, or unknown
-- by: cause waker
-- column: calls int - - number of calls
-- by: file lock name process program thread
-- column: calls int - - all calls of this name, with or without this cause
-- by: all
-- column: cause text - - what the time went to, or what ended the wait: tracetool-causes(7)
-- column: time duration ns less time of the cause in all calls
-- column: share share fraction - share of the time of these calls
-- column: in_calls int - - calls in which the cause occurs
-- column: longest duration ns less longest time in one call
-- compare: rows value=calls,time,share,in_calls,longest calls=calls time=time alone
WITH part AS MATERIALIZED (
    SELECT
-- by: cause waker
        NULL AS "group",
        t.waker,
-- by: name
        n.text AS "group",
-- by: file
        o.name AS "group",
-- by: lock
        printf('0x%x', t.lock) AS "group",
-- by: process program thread
        a.label AS "group",
-- by: all
        t.cause,
        sum(t.calls) AS calls,
        sum_time(t.time) AS time,
        max(t.longest) AS longest
    FROM temp.tally_why AS t
-- by: name
    JOIN main.name AS n ON n.id = t.operation
-- by: lock
    JOIN main.name AS n ON n.id = t.operation AND t.lock NOT NULL AND call_wait(n.text) = 'lock'
-- by: file
    LEFT JOIN main.object AS o ON o.id = t.object
-- by: process
    LEFT JOIN temp.process AS a ON a.id = t.actor
-- by: program
    LEFT JOIN temp.program AS a ON a.id = t.actor
-- by: thread
    LEFT JOIN temp.thread AS a ON a.id = t.actor
-- by: cause waker
    GROUP BY t.waker, t.cause
-- by: file lock name process program thread
    GROUP BY 1, t.cause
-- by: all
)
SELECT
-- by: waker
    nullif(p.waker, ''),
-- by: file lock name process program thread
    p."group",
-- by: all
    w.calls, p.cause, p.time, 1.0 * p.time / nullif(w.time, 0) AS share, p.calls AS in_calls, p.longest
FROM part AS p
-- by: cause waker
CROSS JOIN (SELECT * FROM part WHERE cause = '') AS w
WHERE p.cause <> ''
ORDER BY p.time DESC, p.cause, p.waker
-- by: file lock name process program thread
JOIN part AS w ON w.cause = '' AND w."group" IS p."group"
WHERE p.cause <> ''
ORDER BY w.time DESC, p."group", p.time DESC, p.cause
-- by: all
LIMIT ifnull(:rows, -1);
-- include: why-remark
-- by: lock
-- remark
SELECT CASE WHEN waits > 0
    THEN 'lock: ' || counted(waits, 'call{s} waited for a lock whose address is not in the log; record the event raw_syscalls, which has the address of a futex')
    ELSE 'lock is empty: no wait for a lock in the log; record the events raw_syscalls and sched_waking to see waits for a futex' END
FROM (SELECT ifnull(sum(calls) FILTER (WHERE cause = 'lock'), 0) AS waits, count(lock) FILTER (WHERE cause = 'lock') AS addresses
    FROM temp.tally_why)
WHERE addresses = 0;
