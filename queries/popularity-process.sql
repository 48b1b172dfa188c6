-- report: popularity
-- title: Popularity of processes
-- kinds: io
-- when: of = process
-- tally: process origin
-- plot: popularity
-- include: popularity-columns
WITH counted AS MATERIALIZED (
    SELECT t.process AS name, sum(t.count) AS count
    FROM temp.tally_process AS t
    GROUP BY t.process
)
SELECT
    -- include: popularity
FROM counted
WINDOW popular AS (ORDER BY count DESC, name)
ORDER BY rank
LIMIT ifnull(:rows, -1);
-- include: origin-remark
