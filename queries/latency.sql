-- report: latency
-- page: 10
-- question: How long do I/Os or calls take?
-- title: Time from issue to completion
-- kinds: io
-- instead: functions
-- options: q2c
-- tally: latency
-- worth: count mean p50 p99 max p90 min
-- column: class text - - read or write, synchronous (readsync, writesync) or not, flush, or other
-- key: class
-- column: count int - - how many of what the row is of
-- column: min duration ns less the shortest
-- column: mean duration ns less the average
-- column: p50 duration ns less the median: the smallest value that half of them do not exceed
-- column: p90 duration ns less the smallest value that 90 % of them do not exceed
-- column: p99 duration ns less the smallest value that 99 % of them do not exceed
-- column: max duration ns less the longest
-- column: part text if compare
-- compare: values group=part
--
-- Percentiles are values that occur: the smallest one that so many of the I/Os do not exceed.
WITH
-- include: classes
SELECT iif(:unsynchronous, replace(class.name, 'sync', ''), class.name), d.count, d.min, d.mean, d.p50, d.p90, d.p99, d.max, d.name
FROM temp.distribution AS d
JOIN class ON class.number = CAST(d.name AS INTEGER)
ORDER BY class.place;
-- include: latency-remark
-- remark
SELECT printf('synchronous: %d reads and writes count as plain; not distinguished in the other log', sum(count))
FROM temp.tally_latency
WHERE :unsynchronous AND class IN (io_class_number('readsync'), io_class_number('writesync'))
HAVING sum(count) > 0;
