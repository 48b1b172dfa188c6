-- title: Time from issue to completion, by number in flight at issue
-- kinds: io
-- options: q2c
-- tally: latency_depth
-- column: depth integer
-- key: depth
-- include: percentiles-columns
-- include: curve-columns
-- column: part text if compare
-- compare: values group=part
--
-- How many others were in flight at the issue: up to 63 a row each, then a row for each power of two,
-- from `depth` to one less than twice that.
SELECT
    CAST(d.name AS INTEGER) AS depth,
    -- include: percentiles
    ,
    -- include: curve
    , d.name AS part
-- include: curve-from
ORDER BY depth, c.value;
-- include: percentiles-remark
-- include: latency-remark
