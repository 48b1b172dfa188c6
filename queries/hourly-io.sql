-- report: hourly
-- title: I/Os per hour
-- kinds: io
-- options: timeline
-- tally: hour
-- plot: hourly-io
-- column: hour integer
-- column: read integer
-- column: readsync integer
-- column: write integer
-- column: writesync integer
-- column: other integer
-- column: total integer
--
-- As hourly.sql, by class of I/O.
WITH RECURSIVE folded(yes) AS (
    SELECT min(wall) AND :timeline IS NULL FROM temp.selection
),
placed AS (
    SELECT
        CASE WHEN yes THEN (t.hour % 24 + 24) % 24 ELSE t.hour - s.first_hour END AS hour,
        t.class,
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
    SELECT
        hour,
        sum(count) FILTER (WHERE class = 0) AS read,
        sum(count) FILTER (WHERE class = 1) AS readsync,
        sum(count) FILTER (WHERE class = 2) AS write,
        sum(count) FILTER (WHERE class = 3) AS writesync,
        sum(count) FILTER (WHERE class = 4) AS other,
        sum(count) AS total
    FROM placed
    GROUP BY hour
)
SELECT
    hours.hour,
    ifnull(c.read, 0) AS read,
    ifnull(c.readsync, 0) AS readsync,
    ifnull(c.write, 0) AS write,
    ifnull(c.writesync, 0) AS writesync,
    ifnull(c.other, 0) AS other,
    ifnull(c.total, 0) AS total
FROM hours
LEFT JOIN counted AS c ON c.hour = hours.hour
ORDER BY hours.hour;
-- remark
SELECT CASE
    WHEN NOT min(wall) THEN 'no wall clock: hours since the start of the trace, not folded'
    WHEN :timeline IS NOT NULL THEN 'hours since the full hour in which the trace began'
    ELSE 'hours of the day, local to the device' END
FROM temp.selection;
