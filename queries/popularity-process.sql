-- report: popularity
-- title: Popularity of processes
-- kinds: io
-- when: of = process
-- tally: process origin
-- plot: popularity
-- include: popularity-columns
-- fact: processes report
WITH counted AS MATERIALIZED (
    -- include: popular-processes
)
SELECT
    -- include: popularity
FROM counted
WINDOW popular AS (ORDER BY count DESC, name)
ORDER BY rank
LIMIT ifnull(:rows, -1);
-- include: origin-remark
