-- The rows of `placed` (hour, class, count), hour by hour, and all `hours` that there are.
--
-- With a wall clock (in all traces): the hour of day at the device, all 24 of them. Without one, or
-- with --timeline: hours since the hour in which each trace began, the empty ones included.
WITH RECURSIVE folded(yes) AS (
    SELECT min(wall) AND :timeline IS NULL FROM temp.selection
),
placed AS (
    SELECT
        CASE WHEN yes THEN (t.hour % 24 + 24) % 24 ELSE t.hour - s.first_hour END AS hour,
        t.class,
        sum(t.count) AS count
    FROM folded
    CROSS JOIN temp.tally_hour AS t
    JOIN temp.selection AS s ON s.trace = t.trace
    GROUP BY 1, 2
),
hours(hour) AS (
    SELECT 0
    UNION ALL
    SELECT hour + 1 FROM hours
    WHERE hour < (SELECT CASE WHEN yes THEN 23 ELSE (
        SELECT max(last_hour - first_hour) FROM temp.selection) END FROM folded)
)
