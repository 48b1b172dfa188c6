-- report: popularity
-- title: Popularity of files
-- kinds: calls io
-- when: of = file
-- tally: object
-- plot: popularity
-- include: popularity-columns
--
-- Rows come in the order of the window, by its own words: SQLite need not sort them once more.
WITH counted AS MATERIALIZED (
    -- include: popular-files
)
SELECT
    -- include: popularity
FROM counted
WINDOW popular AS (ORDER BY count DESC, name)
ORDER BY count DESC, name
LIMIT ifnull(:rows, -1);
-- include: without-file
