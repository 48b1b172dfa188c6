-- report: popularity
-- title: Popularity of sectors
-- kinds: io
-- when: of = sector
-- needs: address=sector
-- tally: sector size
-- plot: popularity
-- include: popularity-columns
WITH counted AS MATERIALIZED (
    SELECT t.sector AS name, sum(t.count) AS count
    FROM temp.tally_sector AS t
    WHERE t.sector IS NOT NULL
    GROUP BY t.sector
)
SELECT
    -- include: popularity
FROM counted
WINDOW popular AS (ORDER BY count DESC, name)
ORDER BY rank
LIMIT ifnull(:rows, -1);
-- include: without-data
