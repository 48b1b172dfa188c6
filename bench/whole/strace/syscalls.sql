-- trace: strace
-- report: syscalls
-- columns: name calls errors total min max
SELECT name, count(*), count(error), CAST(sum(duration) * 1000 AS BIGINT), min(duration) * 1000, max(duration) * 1000
FROM call
WHERE duration IS NOT NULL
GROUP BY name;
