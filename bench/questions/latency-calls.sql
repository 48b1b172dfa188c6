-- trace: strace
-- report: latency
-- columns: name count min mean p50 p90 p99 max
WITH ranked AS (
    SELECT operation, duration,
        row_number() OVER (PARTITION BY operation ORDER BY duration) AS rank,
        count(*) OVER (PARTITION BY operation) AS number
    FROM event
    WHERE duration IS NOT NULL
)
SELECT
    n.text, r.number, min(r.duration), CAST(round(avg(r.duration)) AS BIGINT),
    max(CASE WHEN rank = (number * 50 + 99) / 100 THEN duration END),
    max(CASE WHEN rank = (number * 90 + 99) / 100 THEN duration END),
    max(CASE WHEN rank = (number * 99 + 99) / 100 THEN duration END),
    max(r.duration)
FROM ranked AS r JOIN name AS n ON n.id = r.operation
GROUP BY n.text, r.number;
