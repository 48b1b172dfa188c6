-- trace: palmist
-- report: hourly
-- columns: hour count
SELECT time / 3600000000000, count(*) FROM event GROUP BY 1;
