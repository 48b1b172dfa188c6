-- report: popularity
-- title: Popularity of processes
-- kinds: calls
-- needs: actor=thread
-- when: of = process
-- tally: operation
-- plot: popularity
-- include: popularity-columns
WITH counted AS MATERIALIZED (
    SELECT a.label AS name, sum(t.count) AS count
    FROM temp.tally_operation AS t
    JOIN temp.process AS a ON a.id = t.actor
    GROUP BY a.label
)
SELECT
    -- include: popularity
FROM counted
WINDOW popular AS (ORDER BY count DESC, name)
ORDER BY rank
LIMIT ifnull(:rows, -1);
