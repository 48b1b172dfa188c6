-- include: percentiles-columns
-- column: part text if compare
-- compare: values group=part
-- order: count
SELECT
    d.name,
    -- include: percentiles
    , d.name AS part
FROM temp.distribution AS d
ORDER BY d.count DESC, d.name
LIMIT ifnull(:rows, -1);
-- include: percentiles-remark
-- include: untimed-remark
