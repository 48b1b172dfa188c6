-- report: chain
-- page: 19
-- question: Which threads and devices were behind the time of calls?
-- title: Where the time of calls went, followed through their waits
-- kinds: calls spans
-- needs: duration=call log=states
-- plot: calltree
-- options: with offset
-- order: time
-- tally: why_chain
-- key: name thread cause
-- column: name text - - name in the log
-- column: calls int - - all calls of this name, with or without this part
-- column: thread text - - thread in which the time passed: the caller, or one that it waited for
-- column: cause text - - what that thread did, or what ended its wait
-- column: time duration ns less its time in all calls
-- column: share share fraction - share of the time of these calls
-- column: in_calls int - - calls in which it occurs
-- column: longest duration ns less largest part in one call
-- compare: rows value=calls,time,share,in_calls,longest alone
WITH part AS MATERIALIZED (
    SELECT n.text AS name, t.waker AS thread, t.cause, sum(t.calls) AS calls, sum_time(t.time) AS time,
        max(t.longest) AS longest
    FROM temp.tally_why AS t
    JOIN main.name AS n ON n.id = t.operation
    GROUP BY 1, 2, 3
)
SELECT p.name, w.calls, nullif(p.thread, ''), p.cause, p.time, 1.0 * p.time / nullif(w.time, 0), p.calls, p.longest
FROM part AS p
JOIN part AS w ON w.cause = '' AND w.name IS p.name
WHERE p.cause <> ''
ORDER BY w.time DESC, p.name, p.time DESC, p.thread, p.cause
LIMIT ifnull(:rows, -1);
-- include: why-remark
-- remark definition
SELECT 'chain: a wait goes on with the thread that ended it, and what that did meanwhile, up to 16 threads';
