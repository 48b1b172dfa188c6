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
LIMIT ifnull(:rows, -1);
-- remark
WITH counted AS (
    SELECT sum(t.count) AS count, sum(t.count) FILTER (WHERE o.name IS NULL) AS without
    FROM temp.tally_object AS t
    LEFT JOIN main.object AS o ON o.id = t.object
)
SELECT without || ' of ' || count || ' events have no file and are left out; shares are of the rest'
FROM counted
WHERE without > 0;
