-- trace: most
-- report: blocktype
-- columns: block_type read readsync write writesync flush other total bytes
SELECT
    CASE e.flags >> 3 & 7 WHEN 1 THEN 'data' WHEN 2 THEN 'journal' WHEN 3 THEN 'metadata'
        WHEN 4 THEN 'anonymous' ELSE 'none' END,
    count(*) FILTER (WHERE (e.flags & 7) = 0),
    count(*) FILTER (WHERE (e.flags & 7) = 1),
    count(*) FILTER (WHERE (e.flags & 7) = 2),
    count(*) FILTER (WHERE (e.flags & 7) = 3),
    count(*) FILTER (WHERE (e.flags & 7) = 5),
    count(*) FILTER (WHERE (e.flags & 7) = 4),
    count(*), sum(e.size)
FROM event AS e
WHERE e.operation = (SELECT id FROM name WHERE text = 'C')
GROUP BY 1;
