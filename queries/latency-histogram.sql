-- report: latency
-- question: How long do I/Os or calls take?
-- title: Histogram of the time from issue to completion
-- kinds: io
-- when: histogram
-- options: q2c
-- tally: latency_histogram
-- plot: latency-histogram
-- column: from duration ns - the least, this included
-- column: to duration ns - the largest, this not included
-- include: class-columns
-- compare: counts key=from value=total
--
-- Latencies from `from` (inclusive) to `to` (exclusive), which double from row to row; all rows between
-- the first and the last that hold any.
WITH RECURSIVE bucket(bits) AS (
    SELECT min(bits) FROM temp.tally_latency HAVING count(bits) > 0
    UNION ALL
    SELECT bits + 1 FROM bucket WHERE bits < (SELECT max(bits) FROM temp.tally_latency)
)
SELECT
    CASE bucket.bits WHEN 0 THEN 0 ELSE 1 << (bucket.bits - 1) END AS "from",
    1 << bucket.bits AS "to",
    -- include: class-counts
FROM bucket
LEFT JOIN temp.tally_latency AS t ON t.bits = bucket.bits
GROUP BY bucket.bits
ORDER BY bucket.bits;
-- remark definition
SELECT 'latency: queue (Q) to completion (C)' WHERE :q2c IS NOT NULL;
-- include: loss-remark
