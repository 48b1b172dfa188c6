-- trace: strace
-- report: popularity --of file
-- columns: name count
SELECT file, count(*) FROM call WHERE file IS NOT NULL GROUP BY file;
