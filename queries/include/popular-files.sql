-- Behind popularity-columns.sql, out of temp.popular_file, whose rows come in order of rank.
SELECT
    rank,
    name,
    count,
    1.0 * count / total AS share,
    1.0 * cumulative / total AS cumulative
FROM temp.popular_file AS p
ORDER BY p.rowid
LIMIT ifnull(:rows, -1);
-- include: without-file
