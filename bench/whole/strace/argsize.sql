-- trace: strace
-- report: argsize
-- columns: size count
SELECT result, count(*)
FROM call
WHERE name IN ('read', 'write', 'pread64', 'pwrite64', 'sendto') AND error IS NULL AND result IS NOT NULL
GROUP BY result;
