-- trace: palmist
-- report: argsize
-- columns: size count
SELECT size, count(*) FROM event GROUP BY size;
