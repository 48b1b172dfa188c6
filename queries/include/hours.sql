-- The rows of `placed` (hour, class, count), hour by hour, and all `hours` that there are.
--
-- Where all traces tell it: the hour of day at the device, all 24 of them. Where one does not, or
-- with --timeline: hours since the hour in which each trace began, the empty ones included.
WITH RECURSIVE folded(yes) AS (
    SELECT min(of_day) AND :timeline IS NULL FROM temp.selection
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
-- Where two traces are compared: from when to when each was seen, ns at the device.
observed AS MATERIALIZED (
    SELECT
        s.hour_origin + a.time AS first,
        s.hour_origin + b.time AS last,
        s.first_hour
    FROM temp.selection AS s
    CROSS JOIN main.event AS a ON a.id = s.first_event
    CROSS JOIN main.event AS b ON b.id = s.last_event
    WHERE :compare IS NOT NULL AND s.first_event <= s.last_event
),
hours(hour) AS (
    SELECT 0
    UNION ALL
    SELECT hour + 1 FROM hours
    WHERE hour < (SELECT CASE WHEN yes THEN 23 ELSE (
        SELECT max(last_hour - first_hour) FROM temp.selection) END FROM folded)
)
