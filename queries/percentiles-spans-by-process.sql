-- report: percentiles
-- title: Times of calls, by process
-- kinds: spans
-- options: corrected measured
-- when: by = process
-- tally: times_process depth
-- plot: latency
-- column: process text
-- key: process
-- include: percentiles-columns
-- order: count
SELECT
    d.name,
    -- include: percentiles
FROM temp.distribution AS d
ORDER BY d.count DESC, d.name
LIMIT ifnull(:rows, -1);
-- include: percentiles-spans-remark
-- remark
SELECT text FROM temp.span_remark;
