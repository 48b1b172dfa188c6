-- report: hourly
-- question: How does the work spread over the hours of the day?
-- options: timeline
-- tally: hour
-- key: hour
-- fact: times report
-- part: io
-- title: I/Os per hour
-- kinds: io
-- plot: hourly-io
-- compare: clock value=total seconds=seconds
-- part: calls
-- title: Calls per hour
-- kinds: calls spans
-- compare: clock value=count seconds=seconds
-- part: all
-- column: hour number h - hour of the day; hours since the start if the trace has no time of day
-- part: calls
-- column: count int - - number of events, or of references, in the row
-- part: io
-- include: class-columns
-- part: all
-- column: share share fraction - share of all
-- column: of_day number h if picture
-- column: hours int h if picture
-- column: seconds real s if compare
-- Rows of `placed` (hour, class, count) by hour, and all `hours`.
--
-- If all traces have a time of day: hours of the day at the device, all 24. Otherwise, or with
-- --timeline: hours since the hour of each trace's start, including empty ones.
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
-- For comparisons: time range of each trace, ns by the device's clock.
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
latest(hour) AS MATERIALIZED (
    SELECT iif(yes, 23, (SELECT max(last_hour - first_hour) FROM temp.selection)) FROM folded
),
hours(hour) AS (
    SELECT 0
    UNION ALL
    SELECT hour + 1 FROM hours
    WHERE hour < (SELECT hour FROM latest)
),
-- Hours of a bar: a picture of years has no room for one per hour.
bar(hours) AS MATERIALIZED (SELECT iif(:picture IS NULL, 1, 1 + hour / 1200) FROM latest)
SELECT
    min(hours.hour) AS hour,
-- part: calls
    ifnull(sum(count), 0) AS count,
-- part: io
    -- include: class-counts
    ,
-- part: all
    -- Share of the hour.
    ifnull(1.0 * sum(count) / (SELECT sum(count) FROM placed), 0.0) AS share
    , (SELECT yes FROM folded) AS of_day,
    count(DISTINCT hours.hour) AS hours,
    -- For comparisons: seconds of the hour that the traces cover; else 0. For hours of the day:
    -- full days, plus the part of the hour on the last day, minus that before the start on the
    -- first day.
    (
        SELECT total(CASE
            WHEN (SELECT yes FROM folded) THEN
                (o.last / 86400000000000 - o.first / 86400000000000) * 3600000000000
                + min(max(o.last % 86400000000000 - hours.hour * 3600000000000, 0), 3600000000000)
                - min(max(o.first % 86400000000000 - hours.hour * 3600000000000, 0), 3600000000000)
            ELSE
                min(max(o.last - (o.first_hour + hours.hour) * 3600000000000, 0), 3600000000000)
                - min(max(o.first - (o.first_hour + hours.hour) * 3600000000000, 0), 3600000000000)
            END) / 1e9
        FROM observed AS o
    ) AS seconds
FROM hours
CROSS JOIN bar
LEFT JOIN placed ON placed.hour = hours.hour
GROUP BY hours.hour / bar.hours
ORDER BY hours.hour;
-- remark
-- Hours of the day are few.
SELECT printf('bars are means of %d hours', 1 + max(last_hour - first_hour) / 1200) FROM temp.selection
WHERE :picture IS NOT NULL
HAVING max(last_hour - first_hour) >= 1200 AND (min(of_day) = 0 OR :timeline IS NOT NULL);
-- include: zone-remark
-- remark
-- Recommends reports over time. Single events far from all others do not count.
WITH RECURSIVE
-- include: outlying
SELECT 'less than three hours: rate --interval and timeline show more than hours of the day'
WHERE (
    SELECT max(b.time - a.time) FROM temp.selection AS s
    LEFT JOIN kept AS k ON k.trace = s.trace
    CROSS JOIN main.event AS a ON a.id = ifnull(k.first, s.first_event)
    CROSS JOIN main.event AS b ON b.id = ifnull(k.last, s.last_event)
    WHERE s.first_event <= s.last_event
) < 3 * 3600 * 1000000000;
-- include: outlying-remark
