-- include: percentiles-columns
-- include: curve-columns
-- column: part text if compare
-- compare: values group=part
-- order: count
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
-- include: untimed-remark
-- include: unpaired-calls
