-- report: chain
-- question: Which threads and requests were behind the slowest calls?
-- title: The slowest calls, followed through their waits
-- kinds: calls spans
-- needs: duration=call log=states
-- plot: none
-- when: slowest
-- options: with offset
-- tally: chain_slowest
-- key: call time thread
-- worth: call name thread cause part
-- column: call int - - rank among the slowest calls
-- column: name text - - its name
-- column: duration duration ns less duration
-- column: time time ns - start of this part, since the start of the trace
-- column: thread text indented - thread in which the time passed: the caller, or one that it waited for
-- column: cause text - - what that thread did, or what ended its wait
-- column: part duration ns less time
-- column: sector int sectors - first sector of the request that ended the wait
-- column: request_time duration ns less time of the request, from issue to completion
-- column: file path - - file of the request; none if unknown
-- column: request int - - event.id of its completion in the trace of kind io
SELECT s.rank, n.text, s.duration, s.time, printf('%*s%s', 2 * s.depth, '', s.thread), s.cause, s.part, s.sector, s.response,
    o.name, s.request
FROM temp.chain_slowest AS s
LEFT JOIN main.name AS n ON n.id = s.operation
LEFT JOIN main.object AS o ON o.id = s.object
ORDER BY s.rank, s.step
LIMIT ifnull(:rows, -1);
-- include: why-remark
