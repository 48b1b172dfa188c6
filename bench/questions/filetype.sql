-- trace: most-binary
-- report: filetype
-- columns: file_type read readsync write writesync flush other total bytes
SELECT
    o.type,
    count(*) FILTER (WHERE (e.flags & 7) = 0),
    count(*) FILTER (WHERE (e.flags & 7) = 1),
    count(*) FILTER (WHERE (e.flags & 7) = 2),
    count(*) FILTER (WHERE (e.flags & 7) = 3),
    NULL, -- flushes are not in such logs
    count(*) FILTER (WHERE (e.flags & 7) = 4),
    count(*), sum(e.size)
FROM event AS e JOIN object AS o ON o.id = e.object
GROUP BY o.type;
