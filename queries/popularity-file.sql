-- report: popularity
-- title: Popularity of files
-- kinds: calls io
-- when: of = file
-- tally: object
-- plot: popularity
-- column: rank integer
-- column: name text
-- column: count integer
-- column: share share fraction
-- column: cumulative share fraction
WITH counted AS MATERIALIZED (
    SELECT o.name AS name, sum(t.count) AS count
    FROM temp.tally_object AS t
    JOIN main.object AS o ON o.id = t.object
    WHERE o.name IS NOT NULL
    GROUP BY o.name
)
SELECT
    row_number() OVER popular AS rank,
    name,
    count,
    1.0 * count / (SELECT sum(count) FROM counted) AS share,
    1.0 * sum(count) OVER (popular ROWS UNBOUNDED PRECEDING) / (SELECT sum(count) FROM counted)
        AS cumulative
FROM counted
WINDOW popular AS (ORDER BY count DESC, name)
ORDER BY rank
LIMIT ifnull(:top, -1);
