-- report: popularity
-- title: Popularity of sectors
-- kinds: io
-- when: of = sector
-- needs: address=sector
-- tally: popular_sector size
-- plot: popularity
-- include: popularity-columns
--
-- Rows come in order of rank.
SELECT
    rank,
    sector AS name,
    count,
    1.0 * count / total AS share,
    1.0 * cumulative / total AS cumulative
FROM temp.popular_sector AS p
ORDER BY p.rowid
LIMIT ifnull(:rows, -1);
-- include: without-data
