-- report: percentiles
-- title: Times of calls, by function
-- kinds: spans
-- options: corrected measured
-- when: by = operation by default
-- tally: times_operation depth
-- plot: latency
-- column: name text
-- key: name
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
