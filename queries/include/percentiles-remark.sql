-- remark definition
SELECT 'percentiles: nearest rank';
-- remark definition
SELECT 'p99 of fewer than 100 values is their maximum: ' || sum(count < 100) || ' of ' || counted(count(*), 'group{s}')
FROM temp.distribution
WHERE count > 0
HAVING sum(count < 100) > 0;
