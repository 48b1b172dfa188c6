-- trace: most-binary
-- report: partition
-- columns: partition read readsync write writesync flush other total bytes
SELECT
    CASE WHEN e.address < 200000 THEN '/boot' WHEN e.address < 2752512 THEN '/system'
        WHEN e.address < 4186112 THEN '/cache' WHEN e.address < 29186112 THEN '/data'
        ELSE 'unmapped' END,
    count(*) FILTER (WHERE (e.flags & 7) = 0),
    count(*) FILTER (WHERE (e.flags & 7) = 1),
    count(*) FILTER (WHERE (e.flags & 7) = 2),
    count(*) FILTER (WHERE (e.flags & 7) = 3),
    NULL, -- flushes are not in such logs
    count(*) FILTER (WHERE (e.flags & 7) = 4),
    count(*), sum(e.size)
FROM event AS e
GROUP BY 1;
