-- trace: msr
-- report: iosize
-- columns: size count
SELECT bytes, count(*) FROM io GROUP BY bytes;
