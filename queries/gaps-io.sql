-- report: gaps
-- title: Idle times
-- kinds: io
-- tally: idle
-- plot: gaps
-- include: gaps-columns
--
-- Times in which no I/O was in flight: from the completion of the last one to where the next one was
-- asked for (Q), or, where the log does not tell, issued (D); the longest first.
SELECT start, "end", "end" - start AS duration, NULL AS part
FROM temp.tally_idle
WHERE :compare IS NULL
-- include: gaps-compared
ORDER BY duration DESC, start
LIMIT ifnull(:top, -1);
-- distribution
-- They were written in the order of time, as blocks of time are.
SELECT 'gaps', "end" - start FROM temp.tally_idle WHERE :compare IS NOT NULL
-- include: in-flight
-- include: outlying-remark
