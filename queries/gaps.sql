-- report: gaps
-- question: How long is nothing happening?
-- fact: times report
-- compare: values key=part group=part lengths
-- part: completion
-- title: Times between completions
-- kinds: io
-- when: by = completion
-- tally: gap_compared
-- plot: gaps
-- Times between successive actions of the counted kind in a trace, longest first.
-- part: idle
-- title: Idle times
-- kinds: calls
-- needs: duration=call
-- tally: gap_compared
-- plot: gaps
-- Times without a running call in the trace, longest first.
-- part: states
-- title: Times without a running thread
-- kinds: states
-- tally: gap_compared
-- plot: gaps
-- Times without a thread in a counted state, longest first.
-- part: io
-- title: Idle times
-- kinds: io
-- tally: idle_compared
-- plot: gaps
-- Times without an I/O in flight, longest first. They begin at the completion of the last I/O and
-- end when the next one is queued (Q), or issued (D) if the log has no queue events.
-- part: calls
-- title: Times between calls
-- kinds: calls
-- tally: gap_compared
-- Times between successive calls of a trace, longest first, for logs without durations.
-- part: all
-- thin: start/2400 duration/20
-- column: start time ns - start, since the start of the trace
-- column: end time ns - end, since the start of the trace
-- column: duration duration ns less duration
-- column: trace text - if several - the trace
-- column: part text if compare
--
-- Comparisons of traces use the lengths of all times; the first table is then empty.
SELECT g.start AS start, g."end", g."end" - g.start AS duration, t.name AS trace, NULL AS part
-- part: calls idle states completion
FROM temp.tally_gap AS g
-- part: io
FROM temp.tally_idle AS g
-- part: all
JOIN main.trace AS t ON t.id = g.trace
-- thin: start/2400 duration/20
UNION ALL
SELECT NULL, NULL, NULL, NULL, name FROM temp.distribution
ORDER BY duration DESC, start, trace
LIMIT ifnull(:top, -1);
-- part: calls
-- remark
SELECT 'times: from one call to the next; the log has no durations, so a call may still run';
-- part: idle
-- remark definition
SELECT 'idle: no call runs; a call without a known end counts as zero length';
-- part: states
-- include: counted-state-remark
-- part: io
-- include: in-flight
-- part: all
-- thin: start/2400 duration/20
-- include: outlying-remark
