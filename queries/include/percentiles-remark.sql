-- remark definition
SELECT 'percentiles: nearest rank'
WHERE NOT EXISTS (SELECT 1 FROM temp.distribution WHERE count BETWEEN 1 AND 999)
UNION ALL
SELECT printf('percentiles: nearest rank; p99 of fewer than 100 values and p99.9 of fewer than 1000 are the maximum: %d and %d of %s',
    sum(count < 100), sum(count < 1000), counted(count(*), 'group{s}'))
FROM temp.distribution
WHERE count > 0
HAVING sum(count < 1000) > 0;
