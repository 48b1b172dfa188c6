-- trace: most-binary
-- report: rw --process com.app0
-- columns: class count bytes
-- rows: some
-- reads: all
SELECT
    CASE e.flags & 7 WHEN 0 THEN 'read' WHEN 1 THEN 'readsync' WHEN 2 THEN 'write'
        WHEN 3 THEN 'writesync' WHEN 5 THEN 'flush' ELSE 'other' END,
    count(*), sum(e.size)
FROM event AS e JOIN actor AS a ON a.id = e.actor
WHERE a.name = 'com.app0'
GROUP BY 1;
