-- trace: strace
-- report: rw
-- columns: class count bytes
SELECT class, count(*), CAST(sum(CASE WHEN class = 'flush' THEN 0 ELSE result END) AS BIGINT)
FROM (
    SELECT
        CASE WHEN name IN ('read', 'pread64') THEN 'read'
            WHEN name IN ('write', 'pwrite64') THEN 'write'
            WHEN name = 'fdatasync' THEN 'flush' END AS class,
        result
    FROM call
)
WHERE class IS NOT NULL
GROUP BY class;
