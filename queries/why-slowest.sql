-- report: why
-- question: Why did the slowest calls take so long?
-- title: The slowest calls, and where their time went
-- kinds: calls spans
-- needs: duration=call log=states
-- plot: none
-- when: slowest
-- options: with offset
-- tally: why_slowest
-- key: time name thread
-- column: time time ns - start, since the start of the trace
-- column: duration duration ns less duration
-- column: name text - - name of the call
-- column: thread text - - the thread
-- column: story text - - states of the thread during the call, in order, and what ended the waits
-- column: trace text - if several - the trace
SELECT s.time, s.duration, n.text, a.label, s.story, t.name
FROM temp.why_slowest AS s
LEFT JOIN main.name AS n ON n.id = s.operation
LEFT JOIN main.trace AS t ON t.id = n.trace
LEFT JOIN temp.thread AS a ON a.id = s.actor
ORDER BY s.rank
LIMIT ifnull(:rows, -1);
-- include: why-remark
