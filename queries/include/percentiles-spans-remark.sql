-- include: percentiles-remark
-- remark
SELECT 'times are of calls with all that they call; calls within one of the same function count, too';
