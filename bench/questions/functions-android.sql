-- trace: android-trace
-- report: functions
-- columns: name calls total self min mean max
SELECT
    n.text, count(*),
    sum(e.duration) FILTER (WHERE (e.flags & 16) = 0), -- no recursive calls
    sum(coalesce(e.self, e.duration)),
    min(e.duration), CAST(round(avg(e.duration)) AS BIGINT), max(e.duration)
FROM event AS e JOIN name AS n ON n.id = e.operation
WHERE (e.flags & 3) = 0 -- calls
GROUP BY n.text;
