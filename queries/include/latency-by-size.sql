-- title: Time from issue to completion, by size
-- kinds: io
-- options: q2c
-- tally: latency_size
-- column: size bytes bytes
-- key: size
-- include: percentiles-columns
-- include: curve-columns
-- column: part text if compare
-- compare: values group=part
--
-- A row for each power of two: sizes from `size` to one byte less than twice that.
SELECT
    CASE d.name WHEN '' THEN NULL WHEN '0' THEN 0 ELSE 1 << (CAST(d.name AS INTEGER) - 1) END AS size,
    -- include: percentiles
    ,
    -- include: curve
    , d.name AS part
-- include: curve-from
ORDER BY CAST(d.name AS INTEGER), c.value;
-- include: percentiles-remark
-- include: latency-remark
