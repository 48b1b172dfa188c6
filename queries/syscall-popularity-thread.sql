-- report: popularity
-- title: Popularity of threads
-- kinds: calls
-- needs: actor=thread
-- when: of = thread
-- tally: operation
-- plot: popularity
-- include: popularity-columns
WITH counted AS MATERIALIZED (
    -- include: popular-threads
)
SELECT
    -- include: popularity
FROM counted
WINDOW popular AS (ORDER BY count DESC, name)
ORDER BY rank
LIMIT ifnull(:rows, -1);
