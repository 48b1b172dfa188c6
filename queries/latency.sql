-- report: latency
-- title: Time from issue to completion
-- kinds: io
-- tally: latency
-- column: class text
-- key: class
-- column: count integer
-- column: min duration ns
-- column: mean duration ns
-- column: p50 duration ns
-- column: p90 duration ns
-- column: p99 duration ns
-- column: max duration ns
--
-- Percentiles are values that occur: the smallest one that so many of the I/Os do not exceed.
WITH
-- include: classes
SELECT class.name, d.count, d.min, d.mean, d.p50, d.p90, d.p99, d.max
FROM temp.distribution AS d
JOIN class ON class.number = CAST(d.name AS INTEGER)
ORDER BY class.place;
-- remark
SELECT printf('%d of %d I/Os have no latency: their issue was not seen, or they have no length',
    sum(count) FILTER (WHERE bits IS NULL), sum(count))
FROM temp.tally_latency
HAVING sum(count) FILTER (WHERE bits IS NULL) > 0;
