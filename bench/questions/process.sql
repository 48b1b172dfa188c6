-- trace: most-binary
-- report: process
-- columns: process read readsync write writesync flush other total bytes
SELECT
    a.name,
    count(*) FILTER (WHERE (e.flags & 7) = 0),
    count(*) FILTER (WHERE (e.flags & 7) = 1),
    count(*) FILTER (WHERE (e.flags & 7) = 2),
    count(*) FILTER (WHERE (e.flags & 7) = 3),
    NULL, -- flushes are not in such logs
    count(*) FILTER (WHERE (e.flags & 7) = 4),
    count(*), sum(e.size)
FROM event AS e JOIN actor AS a ON a.id = e.actor
GROUP BY a.name;
