-- report: gaps
-- question: How long is nothing happening?
-- compare: values key=part group=part lengths
-- part: completion
-- title: Times between completions
-- kinds: io
-- when: by = completion
-- tally: gap_compared
-- plot: gaps
-- Time between one action of the counted kind and the next of the same trace, the longest first.
-- part: idle
-- title: Idle times
-- kinds: calls
-- needs: duration=call
-- tally: gap_compared
-- plot: gaps
-- Times in which no call of the trace runs, the longest first.
-- part: states
-- title: Times without a running thread
-- kinds: states
-- tally: gap_compared
-- plot: gaps
-- Times in which no thread is in one of the states that count, the longest first.
-- part: io
-- title: Idle times
-- kinds: io
-- tally: idle_compared
-- plot: gaps
-- Times in which no I/O was in flight: from the completion of the last one to where the next one was
-- asked for (Q), or, where the log does not tell, issued (D); the longest first.
-- part: calls
-- title: Times between calls
-- kinds: calls
-- tally: gap_compared
-- Time between one call and the next of the same trace, the longest first; of logs without durations.
-- part: all
-- column: start time ns - its start, since the start of the trace
-- column: end time ns - its end, since the start of the trace
-- column: duration duration ns less duration
-- column: part text if compare
--
-- Where two traces are compared, the first table is empty, and the lengths of all are compared.
SELECT start, "end", "end" - start AS duration, NULL AS part
-- part: calls idle states completion
FROM temp.tally_gap
-- part: io
FROM temp.tally_idle
-- part: all
UNION ALL
SELECT NULL, NULL, NULL, name FROM temp.distribution
ORDER BY duration DESC, start
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
-- include: outlying-remark
