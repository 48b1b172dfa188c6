-- report: popularity
-- title: Popularity of processes
-- kinds: io
-- when: of = process
-- tally: process
-- plot: popularity
-- column: rank integer
-- column: name text
-- column: count integer
-- column: share share fraction
-- column: cumulative share fraction
WITH counted AS (
    SELECT t.process AS name, sum(t.count) AS count
    FROM temp.tally_process AS t
    GROUP BY t.process
)
SELECT
    row_number() OVER popular AS rank,
    name,
    count,
    1.0 * count / sum(count) OVER () AS share,
    1.0 * sum(count) OVER (popular ROWS UNBOUNDED PRECEDING) / sum(count) OVER () AS cumulative
FROM counted
WINDOW popular AS (ORDER BY count DESC, name)
ORDER BY rank
LIMIT ifnull(:top, -1);
