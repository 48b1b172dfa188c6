-- trace: strace
-- report: syscalls
-- columns: name calls errors total min max
SELECT n.text, count(*), count(e.error), sum(e.duration), min(e.duration), max(e.duration)
FROM event AS e JOIN name AS n ON n.id = e.operation
WHERE e.duration IS NOT NULL
GROUP BY n.text;
