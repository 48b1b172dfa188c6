-- trace: strace
-- report: latency
-- columns: name count min mean p50 p90 p99 max
WITH ranked AS (
    SELECT name, duration * 1000 AS duration,
        row_number() OVER (PARTITION BY name ORDER BY duration) AS rank,
        count(*) OVER (PARTITION BY name) AS number
    FROM call
    WHERE duration IS NOT NULL
)
SELECT
    name, number, min(duration), CAST(round(avg(duration)) AS BIGINT),
    max(CASE WHEN rank = (number * 50 + 99) / 100 THEN duration END),
    max(CASE WHEN rank = (number * 90 + 99) / 100 THEN duration END),
    max(CASE WHEN rank = (number * 99 + 99) / 100 THEN duration END),
    max(duration)
FROM ranked
GROUP BY name, number;
