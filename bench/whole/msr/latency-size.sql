-- trace: msr
-- report: latency --by size
-- columns: size count min mean p50 p90 p99 max
WITH ranked AS (
    SELECT bytes AS part, latency,
        row_number() OVER (PARTITION BY bytes ORDER BY latency) AS rank,
        count(*) OVER (PARTITION BY bytes) AS number
    FROM io
)
SELECT
    part, number, min(latency), CAST(round(avg(latency)) AS BIGINT),
    max(CASE WHEN rank = (number * 50 + 99) / 100 THEN latency END),
    max(CASE WHEN rank = (number * 90 + 99) / 100 THEN latency END),
    max(CASE WHEN rank = (number * 99 + 99) / 100 THEN latency END),
    max(latency)
FROM ranked
GROUP BY part, number;
