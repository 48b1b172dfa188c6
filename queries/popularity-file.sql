-- report: popularity
-- title: Popularity of files
-- kinds: calls io
-- when: of = file
-- tally: object
-- plot: popularity
-- include: popularity-columns
WITH counted AS MATERIALIZED (
    SELECT o.name AS name, sum(t.count) AS count
    FROM temp.tally_object AS t
    JOIN main.object AS o ON o.id = t.object
    WHERE o.name IS NOT NULL
    GROUP BY o.name
)
SELECT
    -- include: popularity
FROM counted
WINDOW popular AS (ORDER BY count DESC, name)
ORDER BY rank
LIMIT ifnull(:top, -1);
