-- trace: most-binary
-- report: hourly
-- columns: hour read readsync write writesync flush other total
SELECT
    ($start + time) / 3600000000000 % 24,
    count(*) FILTER (WHERE (flags & 7) = 0),
    count(*) FILTER (WHERE (flags & 7) = 1),
    count(*) FILTER (WHERE (flags & 7) = 2),
    count(*) FILTER (WHERE (flags & 7) = 3),
    NULL, -- flushes are not in such logs
    count(*) FILTER (WHERE (flags & 7) = 4),
    count(*)
FROM event
GROUP BY 1;
