-- trace: most-binary
-- report: iosize
-- columns: size count
SELECT size, count(*) FROM event GROUP BY size;
