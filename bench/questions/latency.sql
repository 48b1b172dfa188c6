-- trace: most
-- report: latency
-- columns: class count min mean p50 p90 p99 max
-- reads: all
WITH ranked AS (
    SELECT flags & 7 AS class, duration,
        row_number() OVER (PARTITION BY flags & 7 ORDER BY duration) AS rank,
        count(*) OVER (PARTITION BY flags & 7) AS number
    FROM event
    WHERE operation = (SELECT id FROM name WHERE text = 'C') AND duration IS NOT NULL
)
SELECT
    CASE class WHEN 0 THEN 'read' WHEN 1 THEN 'readsync' WHEN 2 THEN 'write'
        WHEN 3 THEN 'writesync' WHEN 5 THEN 'flush' ELSE 'other' END,
    number, min(duration), CAST(round(avg(duration)) AS BIGINT),
    max(CASE WHEN rank = (number * 50 + 99) / 100 THEN duration END),
    max(CASE WHEN rank = (number * 90 + 99) / 100 THEN duration END),
    max(CASE WHEN rank = (number * 99 + 99) / 100 THEN duration END),
    max(duration)
FROM ranked
GROUP BY class, number;
