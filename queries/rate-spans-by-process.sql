-- report: rate
-- title: Calls over time, by process
-- kinds: spans
-- when: by = process
-- options: interval
-- tally: rate_process
-- plot: rate-by
-- column: time time s
-- column: process text
-- include: rate-columns
--
-- Only what began in an interval has a row there.
WITH
grouped AS (
    SELECT a.label AS name, r.*
    FROM temp.tally_rate AS r
    JOIN temp.process AS a ON a.id = r."group"
)
-- include: rate-groups
