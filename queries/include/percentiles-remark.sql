-- remark
SELECT 'a percentile is a value that occurs: the smallest one that so many per cent do not exceed';
