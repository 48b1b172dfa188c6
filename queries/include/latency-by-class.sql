-- title: Time from issue to completion, by class
-- kinds: io
-- options: q2c
-- tally: latency
-- column: class text
-- key: class
-- include: percentiles-columns
-- include: curve-columns
-- column: part text if compare
-- compare: values group=part
WITH
-- include: classes
SELECT
    class.name,
    -- include: percentiles
    ,
    -- include: curve
    , d.name AS part
-- include: curve-from
JOIN class ON class.number = CAST(d.name AS INTEGER)
ORDER BY class.place, c.value;
-- include: percentiles-remark
-- include: latency-remark
