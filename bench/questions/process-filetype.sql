-- trace: most-binary
-- report: filetype --process com.app0
-- columns: file_type read readsync write writesync flush other total bytes
-- reads: all
SELECT
    o.type,
    count(*) FILTER (WHERE (e.flags & 7) = 0),
    count(*) FILTER (WHERE (e.flags & 7) = 1),
    count(*) FILTER (WHERE (e.flags & 7) = 2),
    count(*) FILTER (WHERE (e.flags & 7) = 3),
    NULL, -- flushes are not in such logs
    count(*) FILTER (WHERE (e.flags & 7) = 4),
    count(*), sum(e.size)
FROM event AS e JOIN actor AS a ON a.id = e.actor JOIN object AS o ON o.id = e.object
WHERE a.name = 'com.app0'
GROUP BY o.type;
