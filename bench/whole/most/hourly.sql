-- trace: most
-- report: hourly
-- columns: hour read readsync write writesync flush other total
SELECT
    time / 3600000000000,
    count(*) FILTER (WHERE class = 'read'),
    count(*) FILTER (WHERE class = 'readsync'),
    count(*) FILTER (WHERE class = 'write'),
    count(*) FILTER (WHERE class = 'writesync'),
    count(*) FILTER (WHERE class = 'flush'),
    count(*) FILTER (WHERE class = 'other'),
    count(*)
FROM io
GROUP BY 1;
