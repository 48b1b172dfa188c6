-- title: Time from issue to completion, by file
-- kinds: io
-- needs: object=file
-- options: q2c
-- tally: latency_file
-- column: file text
-- key: file
-- include: percentiles-columns
-- include: curve-columns
-- column: part text if compare
-- compare: values group=part
-- order: count
-- fact: files report
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
