-- report: popularity
-- title: Popularity of files
-- kinds: calls io
-- when: of = file
-- tally: object
-- plot: popularity
-- include: popularity-columns
WITH counted AS MATERIALIZED (
    -- include: popular-files
)
SELECT
    -- include: popularity
FROM counted
WINDOW popular AS (ORDER BY count DESC, name)
ORDER BY rank
LIMIT ifnull(:rows, -1);
-- include: without-file
