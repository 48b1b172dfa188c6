-- report: latency
-- question: How long do I/Os or calls take?
-- options: q2c
-- part: histogram
-- title: Histogram of the time from issue to completion
-- kinds: io
-- when: histogram
-- tally: latency_histogram
-- plot: latency-histogram
-- column: from duration ns - lower bound, inclusive
-- column: to duration ns - upper bound, exclusive
-- include: class-columns
-- compare: counts key=from value=total
--
-- Row per latency class from `from` (inclusive) to `to` (exclusive). Bounds double from row to row.
-- Includes empty classes between the first and the last.
-- part: main
-- page: 10
-- title: Time from issue to completion
-- kinds: io
-- instead: functions
-- tally: latency
-- worth: count mean p50 p99 max p90 min
-- column: class text - - read or write, synchronous (readsync, writesync) or not, flush, or other
-- key: class
-- column: count int - - number of events, or of references, in the row
-- column: min duration ns less minimum
-- column: mean duration ns less mean
-- column: p50 duration ns less median: smallest value that half of the values do not exceed
-- column: p90 duration ns less smallest value that 90 % of the values do not exceed
-- column: p99 duration ns less smallest value that 99 % of the values do not exceed
-- column: max duration ns less maximum
-- column: part text if compare
-- compare: values group=part
--
-- Percentiles are nearest rank: observed values.
-- part: histogram
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
-- part: main
WITH
-- include: classes
SELECT iif(:unsynchronous, replace(class.name, 'sync', ''), class.name), d.count, d.min, d.mean, d.p50, d.p90, d.p99, d.max, d.name
FROM temp.distribution AS d
JOIN class ON class.number = CAST(d.name AS INTEGER)
ORDER BY class.place;
-- include: latency-remark
-- remark
SELECT 'synchronous: ' || counted(sum(count), 'read{ or write counts|s and writes count} as plain: the other log does not mark synchronous I/O')
FROM temp.tally_latency
WHERE :unsynchronous AND class IN (io_class_number('readsync'), io_class_number('writesync'))
HAVING sum(count) > 0;
