-- trace: strace
-- report: errors
-- columns: name error file count
SELECT name, error, coalesce(file, ''), count(*)
FROM call
WHERE error IS NOT NULL
GROUP BY name, error, file;
