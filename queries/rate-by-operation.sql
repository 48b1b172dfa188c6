-- report: rate
-- title: Calls over time, by operation
-- kinds: calls spans
-- when: by = operation
-- options: interval
-- tally: rate_operation
-- plot: rate-by
-- column: time time s
-- column: operation text
-- include: rate-columns
--
-- Only what began in an interval has a row there.
WITH
grouped AS (
    SELECT n.text AS name, r.*
    FROM temp.tally_rate AS r
    JOIN main.name AS n ON n.id = r."group"
)
-- include: rate-groups
