-- The columns of gaps-columns.sql, out of temp.tally_gap. Where two traces are compared, that is
-- empty, and the lengths of all are (gaps-compared.sql).
SELECT start, "end", "end" - start AS duration, NULL AS part
FROM temp.tally_gap
-- include: gaps-compared
ORDER BY duration DESC, start
LIMIT ifnull(:top, -1);
