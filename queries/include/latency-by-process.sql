-- title: Time from issue to completion, by process
-- kinds: io
-- options: q2c
-- tally: latency_process origin
-- column: process text
-- key: process
-- include: percentiles-columns
-- include: curve-columns
-- column: part text if compare
-- compare: values group=part
-- order: count
-- fact: processes report
SELECT
    d.name,
    -- include: percentiles
    ,
    -- include: curve
    , d.name AS part
-- include: curve-from
ORDER BY d.count DESC, d.name, c.value
LIMIT ifnull(:rows, -1);
-- include: percentiles-remark
-- include: latency-remark
-- include: origin-remark
