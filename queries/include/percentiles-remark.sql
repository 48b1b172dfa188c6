-- remark definition
SELECT 'percentiles are by nearest rank: one of the values, without interpolation';
