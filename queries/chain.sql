-- report: chain
-- options: with offset
-- part: slowest
-- question: Which threads and requests were behind the slowest calls?
-- title: The slowest calls, followed through their waits
-- kinds: calls spans
-- needs: duration=call log=states
-- plot: none
-- when: slowest
-- tally: chain_slowest
-- key: call time thread
-- worth: call name thread cause part
-- column: call int - - rank among the slowest calls
-- column: name text - - name of the call
-- column: duration duration ns less duration
-- column: time time ns - start of this part, since the start of the trace
-- column: thread text indented - thread in which the time passed: the caller, or one that it waited for
-- column: cause text - - what that thread did, or what ended its wait: tracetool-causes(7)
-- column: part duration ns less time
-- column: sector int sectors - first sector of the request that ended the wait
-- column: request_time duration ns less time of the request, from issue to completion
-- column: file path - - file of the request; none if unknown
-- column: request int - - event.id of the request's completion in the trace of kind io
-- column: queue_time duration ns less time of the request in the queue before the issue; none if not in the log
-- column: trace text - if several - the trace
-- part: tree
-- question: Which threads and devices were behind the time of calls?
-- title: Calls and their waits, followed to other threads
-- kinds: calls spans
-- needs: duration=call log=states
-- when: picture
-- plot: calltree
-- tally: chain_tree
-- column: depth int - - number of waits between the call and this row
-- column: name text indented - the call, what ended its wait, and what that thread did meanwhile
-- column: calls int - - calls in which the cause occurs
-- column: total duration ns less time of the cause in all calls
-- column: self duration ns less part of the time that is not followed to another thread
-- column: total_share share fraction - share of the time of all calls
-- part: main
-- page: 18
-- question: Which threads and devices were behind the time of calls?
-- title: Where the time of calls went, followed through their waits
-- kinds: calls spans
-- needs: duration=call log=states
-- plot: calltree
-- order: time
-- tally: why_chain
-- key: name thread cause
-- column: name text - - name in the log
-- column: calls int - - all calls of this name, with or without this part
-- column: thread text - - thread in which the time passed: the caller, or one that it waited for
-- column: cause text - - what that thread did, or what ended its wait: tracetool-causes(7)
-- column: time duration ns less time of the cause in all calls
-- column: share share fraction - share of the time of these calls
-- column: in_calls int - - calls in which the cause occurs
-- column: longest duration ns less longest time in one call
-- column: queue_time duration ns less part of time in which the request was in the queue; none if not in the log
-- compare: rows value=calls,time,share,in_calls,longest calls=calls time=time alone
-- part: slowest
SELECT s.rank, n.text, s.duration, s.time, printf('%*s%s', 2 * s.depth, '', s.thread), s.cause, s.part, s.sector, s.response,
    o.name, s.request, s.queued, v.name
FROM temp.chain_slowest AS s
LEFT JOIN main.name AS n ON n.id = s.operation
LEFT JOIN main.trace AS v ON v.id = n.trace
LEFT JOIN main.object AS o ON o.id = s.object
ORDER BY s.rank, s.step
LIMIT ifnull(:rows, -1);
-- include: why-remark
-- part: tree
SELECT t.depth, t.name, t.calls, t.total, t.self, 1.0 * t.total / nullif(w.time, 0)
FROM temp.chain_tree AS t
CROSS JOIN temp.why_total AS w
ORDER BY t.place
LIMIT ifnull(:top, -1);
-- include: why-remark
-- part: main
WITH part AS MATERIALIZED (
    SELECT n.text AS name, t.waker AS thread, t.cause, sum(t.calls) AS calls, sum_time(t.time) AS time,
        max(t.longest) AS longest, sum_time(t.queued) AS queued
    FROM temp.tally_why AS t
    JOIN main.name AS n ON n.id = t.operation
    GROUP BY 1, 2, 3
)
SELECT p.name, w.calls, nullif(p.thread, ''), p.cause, p.time, 1.0 * p.time / nullif(w.time, 0), p.calls, p.longest, p.queued
FROM part AS p
JOIN part AS w ON w.cause = '' AND w.name IS p.name
WHERE p.cause <> ''
ORDER BY w.time DESC, p.name, p.time DESC, p.thread, p.cause
LIMIT ifnull(:rows, -1);
-- include: why-remark
-- remark definition
SELECT 'chain: follows each wait to the thread that ended it and what that did meanwhile, up to 16 threads';
