-- report: rate
-- title: Events over time, by file
-- kinds: io calls
-- when: by = file
-- options: interval
-- tally: rate_file
-- plot: rate-by
-- column: time time s
-- column: file text
-- include: rate-columns
-- fact: files report
--
-- Only what did something in an interval has a row there.
WITH
grouped AS (
    SELECT ifnull(o.name, '') AS name, r.*
    FROM temp.tally_rate AS r
    LEFT JOIN main.object AS o ON o.id = r."group"
)
-- include: rate-groups
