-- The columns of gaps-columns.sql, out of temp.tally_gap.
SELECT start, "end", "end" - start AS duration
FROM temp.tally_gap
ORDER BY duration DESC, start
LIMIT ifnull(:top, -1);
