-- trace: most
-- report: blocktype
-- columns: block_type read readsync write writesync flush other total bytes
SELECT
    type,
    count(*) FILTER (WHERE class = 'read'),
    count(*) FILTER (WHERE class = 'readsync'),
    count(*) FILTER (WHERE class = 'write'),
    count(*) FILTER (WHERE class = 'writesync'),
    count(*) FILTER (WHERE class = 'flush'),
    count(*) FILTER (WHERE class = 'other'),
    count(*),
    CAST(sum(bytes) AS BIGINT)
FROM io
GROUP BY 1;
