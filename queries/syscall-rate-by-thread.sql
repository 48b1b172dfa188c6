-- report: rate
-- title: Calls over time, by thread
-- kinds: calls
-- needs: actor=thread
-- when: by = thread
-- options: interval
-- tally: rate_process
-- plot: rate-by
-- column: time time s
-- column: thread text
-- include: rate-columns
--
-- Only what began in an interval has a row there.
WITH
grouped AS (
    -- include: rate-threads
)
-- include: rate-groups
