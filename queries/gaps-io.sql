-- report: gaps
-- title: Idle times
-- kinds: io
-- tally: idle_compared
-- plot: gaps
-- include: gaps-columns
--
-- Times in which no I/O was in flight: from the completion of the last one to where the next one was
-- asked for (Q), or, where the log does not tell, issued (D); the longest first.
SELECT start, "end", "end" - start AS duration, NULL AS part
FROM temp.tally_idle
-- include: gaps-compared
ORDER BY duration DESC, start
LIMIT ifnull(:top, -1);
-- include: in-flight
-- include: outlying-remark
