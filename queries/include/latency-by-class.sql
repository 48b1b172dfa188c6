-- title: Time from issue to completion, by class
-- kinds: io
-- options: q2c
-- tally: latency
-- plot: latency
-- column: class text
-- key: class
-- include: percentiles-columns
-- column: part text if compare
-- compare: values group=part
WITH
-- include: classes
SELECT
    class.name,
    -- include: percentiles
    , d.name AS part
FROM temp.distribution AS d
JOIN class ON class.number = CAST(d.name AS INTEGER)
ORDER BY class.place;
-- include: percentiles-remark
-- include: latency-remark
