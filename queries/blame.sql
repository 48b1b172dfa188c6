-- report: blame
-- page: 19
-- question: Which threads, devices and interrupts did calls wait for?
-- kinds: calls spans
-- instead: waits
-- instead: process
-- needs: duration=call log=states
-- plot: none
-- options: with offset
-- order: time
-- by: lock
-- title: What calls waited for, by lock
-- tally: why_lock
-- by: process
-- title: What calls waited for, by the process that ended the wait
-- tally: blame_process
-- by: thread
-- title: What calls waited for, by who ended the wait
-- when: by = thread by default
-- tally: blame
-- by: all
-- key: culprit cause
-- by: lock
-- column: culprit text - - address of the futex in memory
-- by: process
-- column: culprit text - - the process, device or interrupt that ended the wait, or ran meanwhile
-- by: thread
-- column: culprit text - - the thread, device or interrupt that ended the wait, or ran meanwhile
-- by: all
-- column: cause text - - what the wait was for: tracetool-causes(7)
-- column: calls int - - calls that waited for the culprit
-- column: time duration ns less time
-- column: share share fraction - share of the time of all calls
-- column: longest duration ns less longest time in one call
-- compare: rows value=calls,time,share,longest alone
WITH part AS MATERIALIZED (
    SELECT
-- by: lock
        printf('0x%x', t.lock) AS culprit,
-- by: process thread
        ifnull(nullif(t.waker, ''), t.cause) AS culprit,
-- by: all
        t.cause,
        sum(t.calls) AS calls,
        sum_time(t.time) AS time,
        max(t.longest) AS longest
    FROM temp.tally_why AS t
-- by: lock
    WHERE t.cause = 'lock' AND t.lock NOT NULL
-- by: process thread
    WHERE t.cause NOT IN ('', 'on a processor', 'unexplained')
-- by: all
    GROUP BY 1, 2
)
SELECT p.culprit, p.cause, p.calls, p.time, 1.0 * p.time / nullif(w.time, 0) AS share, p.longest
FROM part AS p
CROSS JOIN temp.why_total AS w
ORDER BY p.time DESC, p.culprit, p.cause
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
-- by: process thread
-- remark definition
SELECT 'in waits for a processor, culprit is the thread that ran on it meanwhile; "waits for a processor" if none ran, or the log does not show it';
