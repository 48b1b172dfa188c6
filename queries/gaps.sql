-- report: gaps
-- title: Idle times
-- kinds: calls io
-- tally: gap
-- column: start time s
-- column: end time s
-- column: duration duration ns
--
-- Time between one event and the next of the same trace, the longest first. For block I/O, between
-- successive actions of the counted kind.
SELECT start, "end", "end" - start AS duration
FROM temp.tally_gap
ORDER BY duration DESC, start
LIMIT ifnull(:top, -1);
