-- trace: most-binary
-- report: rw
-- columns: class count bytes
-- rows: some
SELECT
    CASE flags & 7 WHEN 0 THEN 'read' WHEN 1 THEN 'readsync' WHEN 2 THEN 'write'
        WHEN 3 THEN 'writesync' WHEN 5 THEN 'flush' ELSE 'other' END,
    count(*), sum(size)
FROM event
GROUP BY 1;
