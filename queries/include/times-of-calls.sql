-- include: percentiles-columns
-- order: count
SELECT
    d.name,
    -- include: percentiles
FROM temp.distribution AS d
ORDER BY d.count DESC, d.name
LIMIT ifnull(:rows, -1);
-- include: percentiles-remark
-- include: untimed-remark
