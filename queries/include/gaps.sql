-- The columns of gaps-columns.sql, out of temp.tally_gap. Where two traces are compared, the lengths
-- of all are (gaps-compared.sql).
SELECT start, "end", "end" - start AS duration, NULL AS part
FROM temp.tally_gap
WHERE :compare IS NULL
-- include: gaps-compared
ORDER BY duration DESC, start
LIMIT ifnull(:top, -1);
-- distribution
-- They were written in the order of time, as blocks of time are.
SELECT 'gaps', "end" - start FROM temp.tally_gap WHERE :compare IS NOT NULL
