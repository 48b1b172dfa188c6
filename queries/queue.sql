-- report: queue
-- title: I/Os in flight
-- kinds: io
-- options: q2c
-- tally: queue
-- column: depth integer
-- column: time duration ns
-- column: share share fraction
-- column: cumulative share fraction
-- column: seen integer
-- column: seen_share share fraction
-- column: seen_cumulative share fraction if cdf
-- compare: rows key=depth value=share,seen_share alone
--
-- A row for each number of I/Os in flight that occurred: for how long, and how many I/Os found so many
-- others when they were issued.
SELECT
    depth,
    time,
    time / nullif(total(time) OVER (), 0) AS share,
    total(time) OVER (ORDER BY depth) / nullif(total(time) OVER (), 0) AS cumulative,
    seen,
    1.0 * seen / sum(seen) OVER () AS seen_share,
    1.0 * sum(seen) OVER (ORDER BY depth) / sum(seen) OVER () AS seen_cumulative
FROM temp.tally_queue
ORDER BY depth;
-- remark
-- Sums of times are real: those of a damaged database may be more than an integer holds.
WITH
-- include: rate-second
SELECT printf('depth: mean %.6g, maximum %d; above zero for %.6g %% of %.9g %s%s',
    sum(1.0 * depth * time) / total(time), max(depth) FILTER (WHERE time > 0),
    100.0 * total(time) FILTER (WHERE depth > 0) / total(time), total(time) / ifnull(second, 1),
    iif(second IS NULL, 'units', 's'),
    -- Where none was issued, there is no average.
    iif(sum(seen) > 0, printf('; others in flight at arrival: mean %.6g', sum(1.0 * depth * seen) / sum(seen)), ''))
FROM temp.tally_queue
CROSS JOIN clock
HAVING total(time) > 0;
-- include: queue-remark
