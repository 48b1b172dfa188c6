-- remark definition
SELECT 'percentiles: nearest rank' || CASE WHEN sum(count < 1000) > 0 THEN printf(
    '; p99 of fewer than 100 values and p99.9 of fewer than 1000 are the maximum: %d and %d of %s',
    sum(count < 100), sum(count < 1000), counted(count(*), 'group{s}')) ELSE '' END
FROM temp.distribution
WHERE count > 0;
