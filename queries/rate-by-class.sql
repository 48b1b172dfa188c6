-- report: rate
-- title: I/Os over time, by class
-- kinds: io
-- when: by = class
-- options: interval
-- tally: rate
-- plot: rate-by
-- column: time time s
-- column: class text
-- include: rate-columns
--
-- Only what did something in an interval has a row there.
WITH
-- include: classes
,
grouped AS (
    SELECT class.name, r.*
    FROM temp.tally_rate AS r
    JOIN class ON class.number = r."group"
)
-- include: rate-groups
