-- remark
SELECT 'no call runs; a call whose end is not known counts as ended when it begins';
