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
-- include: popularity-rows
