-- trace: msr
-- report: popularity
-- columns: name count
SELECT 'C', count(*) FROM io UNION ALL SELECT 'D', count(*) FROM io;
