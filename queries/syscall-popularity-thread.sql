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
-- include: popularity-rows
