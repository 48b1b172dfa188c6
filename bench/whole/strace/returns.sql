-- trace: strace
-- report: returns
-- columns: name return error count
SELECT name, result, coalesce(error, ''), count(*)
FROM call
WHERE result <> 0
GROUP BY name, result, error;
