-- trace: most
-- report: latency
-- columns: class count min mean p50 p90 p99 max
WITH ranked AS (
    SELECT class, latency,
        row_number() OVER (PARTITION BY class ORDER BY latency) AS rank,
        count(*) OVER (PARTITION BY class) AS number
    FROM io
    WHERE latency >= 0
)
SELECT
    class, number, min(latency), CAST(round(avg(latency)) AS BIGINT),
    max(CASE WHEN rank = (number * 50 + 99) / 100 THEN latency END),
    max(CASE WHEN rank = (number * 90 + 99) / 100 THEN latency END),
    max(CASE WHEN rank = (number * 99 + 99) / 100 THEN latency END),
    max(latency)
FROM ranked
GROUP BY class, number;
