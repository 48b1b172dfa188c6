-- trace: strace
-- report: hourly
-- columns: hour count
-- rows: some
SELECT time // 3600000000 % 24, count(*) FROM call GROUP BY 1;
