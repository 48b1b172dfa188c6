-- A row for each interval and what did something in it, out of `grouped` (interval, name, count, bytes,
-- timed, duration, longest), whose equal keys may be several rows. `rank` is by how often over all.
,
-- include: rate-second
,
ranked AS MATERIALIZED (
    SELECT name, row_number() OVER (ORDER BY sum(count) DESC, name) AS rank
    FROM grouped
    GROUP BY name
),
counted AS (
    SELECT
        i.start AS time, i.length / second AS seconds, r.name,
        sum(r.count) AS count, sum_time(r.bytes) AS bytes,
        -- include: rate-times
    FROM temp.rate_interval AS i
    CROSS JOIN clock
    CROSS JOIN grouped AS r ON r.interval = i.interval
    GROUP BY i.interval, r.name
)
SELECT
    time, counted.name, count, count / seconds, bytes,
    CAST(round(bytes / seconds) AS INTEGER), mean, max, rank
FROM counted
JOIN ranked ON ranked.name IS counted.name
ORDER BY time, rank
LIMIT ifnull(:top, -1);
-- include: rate-remark
-- include: outlying-remark
