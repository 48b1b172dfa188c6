-- The columns of syscalls-columns.sql behind the name, out of `counted` (name; syscalls-sums.sql) and
-- temp.distribution; then what is to be known.
SELECT
    c.name,
    c.calls,
    c.errors,
    c.total,
    d.min, d.mean, d.p50, d.p90, d.p99, d.max,
    c.total / nullif((SELECT total(total) FROM counted), 0.0) AS share
FROM counted AS c
LEFT JOIN temp.distribution AS d ON d.name = c.name
ORDER BY c.total DESC, c.calls DESC, c.name
LIMIT ifnull(:rows, -1);
-- include: percentiles-remark
-- remark
SELECT printf('%d of %d calls have no duration: they count, and have no times',
    sum(calls - timed), sum(calls))
FROM temp.tally_call
WHERE returned
HAVING sum(calls - timed) > 0;
-- include: not-returned-remark
