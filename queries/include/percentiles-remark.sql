-- remark
SELECT 'percentiles: nearest rank';
