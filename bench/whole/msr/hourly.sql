-- trace: msr
-- report: hourly --timeline
-- columns: hour read write total
SELECT
    completed // 3600000000000,
    count(*) FILTER (WHERE class = 'read'),
    count(*) FILTER (WHERE class = 'write'),
    count(*)
FROM io
GROUP BY 1;
