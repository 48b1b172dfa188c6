-- trace: strace
-- report: files
-- columns: file opens reads writes fsyncs bytes_read bytes_written
-- reads: all
SELECT
    o.name,
    sum(CASE WHEN n.text = 'openat' THEN 1 ELSE 0 END),
    sum(CASE WHEN n.text IN ('read', 'pread64') THEN 1 ELSE 0 END),
    sum(CASE WHEN n.text IN ('write', 'pwrite64') THEN 1 ELSE 0 END),
    sum(CASE WHEN n.text = 'fdatasync' THEN 1 ELSE 0 END),
    CAST(coalesce(sum(CASE WHEN n.text IN ('read', 'pread64') THEN e.size END), 0) AS BIGINT),
    CAST(coalesce(sum(CASE WHEN n.text IN ('write', 'pwrite64') THEN e.size END), 0) AS BIGINT)
FROM event AS e
JOIN name AS n ON n.id = e.operation
JOIN object AS o ON o.id = e.object
WHERE n.text NOT IN ('close', 'sendto', 'execve')
GROUP BY o.name;
