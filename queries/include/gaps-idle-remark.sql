-- remark definition
SELECT 'idle: no call runs; a call without a known end counts as zero length';
