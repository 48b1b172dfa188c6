-- report: rate
-- title: Events over time, by process
-- kinds: io calls
-- when: by = process
-- options: interval
-- tally: rate_process
-- plot: rate-by
-- column: time time s
-- column: process text
-- include: rate-columns
-- fact: processes report
--
-- Only what did something in an interval has a row there.
WITH
grouped AS (
    SELECT ifnull(a.name, '') AS name, r.*
    FROM temp.tally_rate AS r
    LEFT JOIN main.actor AS a ON a.id = r."group"
)
-- include: rate-groups
