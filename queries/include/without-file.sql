-- remark excluded
-- For reports on files. Uses temp.popular_file.
SELECT 'excluded: ' || without || ' of ' || count || ' events without a file; shares are of the rest'
FROM temp.file_total
WHERE without > 0;
