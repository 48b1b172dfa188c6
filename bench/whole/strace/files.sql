-- trace: strace
-- report: files
-- columns: file opens reads writes fsyncs bytes_read bytes_written
SELECT
    file,
    count(*) FILTER (WHERE name = 'openat'),
    count(*) FILTER (WHERE name IN ('read', 'pread64')),
    count(*) FILTER (WHERE name IN ('write', 'pwrite64')),
    count(*) FILTER (WHERE name = 'fdatasync'),
    CAST(coalesce(sum(result) FILTER (WHERE name IN ('read', 'pread64')), 0) AS BIGINT),
    CAST(coalesce(sum(result) FILTER (WHERE name IN ('write', 'pwrite64')), 0) AS BIGINT)
FROM call
WHERE file LIKE '/%' AND name <> 'execve'
GROUP BY file
HAVING count(*) FILTER (WHERE name <> 'close') > 0;
