-- report: hourly
-- title: Calls per hour
-- kinds: calls spans
-- options: timeline
-- tally: hour
-- column: hour integer
-- column: count integer
--
-- With a wall clock (in all traces): the hour of day at the device, all 24 of them. Without one, or
-- with --timeline: hours since the hour in which each trace began, the empty ones included.
WITH RECURSIVE folded(yes) AS (
    SELECT min(wall) AND :timeline IS NULL FROM temp.selection
),
placed AS (
    SELECT
        CASE WHEN yes THEN (t.hour % 24 + 24) % 24 ELSE t.hour - s.first_hour END AS hour,
        t.count
    FROM folded
    CROSS JOIN temp.tally_hour AS t
    JOIN temp.selection AS s ON s.trace = t.trace
),
hours(hour) AS (
    SELECT 0
    UNION ALL
    SELECT hour + 1 FROM hours
    WHERE hour < (SELECT CASE WHEN yes THEN 23 ELSE (
        SELECT max(last_hour - first_hour) FROM temp.selection) END FROM folded)
),
counted AS (
    SELECT hour, sum(count) AS count FROM placed GROUP BY hour
)
SELECT hours.hour, ifnull(counted.count, 0) AS count
FROM hours
LEFT JOIN counted ON counted.hour = hours.hour
ORDER BY hours.hour;
-- remark
SELECT CASE
    WHEN NOT min(wall) THEN 'no wall clock: hours since the start of the trace, not folded'
    WHEN :timeline IS NOT NULL THEN 'hours since the full hour in which the trace began'
    ELSE 'hours of the day, local to the device' END
FROM temp.selection;
