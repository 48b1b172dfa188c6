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
-- Of strace without -T only the calls between whose begin and end another thread's lines stand have a
-- duration: those are the long ones.
SELECT printf('no duration: %d of %d calls; counted, without times%s',
    sum(calls - timed), sum(calls), iif(sum(timed) > 0 AND sum(timed) * 2 < sum(calls),
        printf('; total, mean and share are of the other %d%s', sum(timed),
            iif(EXISTS (SELECT 1 FROM temp.selection AS s CROSS JOIN main.trace AS t ON t.id = s.trace
                WHERE t.format = 'strace'),
                ', those that strace -f interrupted and resumed, which are long ones: record with -T', '')),
        ''))
FROM temp.tally_call
WHERE returned
HAVING sum(calls - timed) > 0;
-- include: not-returned-remark
