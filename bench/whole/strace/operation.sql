-- trace: strace
-- report: popularity
-- columns: name count
SELECT name, count(*) FROM call GROUP BY name;
