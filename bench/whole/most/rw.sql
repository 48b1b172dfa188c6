-- trace: most
-- report: rw
-- columns: class count bytes
-- rows: some
SELECT class, count(*), CAST(sum(bytes) AS BIGINT) FROM io GROUP BY class;
