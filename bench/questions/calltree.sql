-- trace: dwtrace
-- report: calltree
-- columns: depth name calls total self
-- reads: all
WITH RECURSIVE call(id, depth, name, path, duration, self) AS (
    SELECT e.id, 0, n.text, n.text, e.duration, coalesce(e.self, e.duration)
    FROM event AS e JOIN name AS n ON n.id = e.operation
    WHERE e.parent IS NULL AND (e.flags & 3) = 0
    UNION ALL
    SELECT e.id, c.depth + 1, n.text, c.path || '/' || n.text, e.duration,
        coalesce(e.self, e.duration)
    FROM call AS c JOIN event AS e ON e.parent = c.id JOIN name AS n ON n.id = e.operation
    WHERE (e.flags & 3) = 0
)
SELECT depth, name, count(*), sum(duration), sum(self)
FROM call
GROUP BY path, depth, name;
