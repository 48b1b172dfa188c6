-- report: popularity
-- title: Popularity of processes
-- kinds: calls
-- needs: actor=thread
-- when: of = process
-- tally: operation
-- plot: popularity
-- include: popularity-columns
WITH counted AS MATERIALIZED (
    -- include: popular-call-processes
)
SELECT
    -- include: popularity
FROM counted
WINDOW popular AS (ORDER BY count DESC, name)
ORDER BY rank
LIMIT ifnull(:rows, -1);
