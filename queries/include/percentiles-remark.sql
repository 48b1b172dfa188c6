-- remark definition
SELECT 'percentiles: nearest rank';
