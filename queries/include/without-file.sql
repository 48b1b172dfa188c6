-- remark excluded
-- Of a report on files, out of temp.popular_file.
SELECT 'excluded: ' || without || ' of ' || count || ' events without a file; shares are of the rest'
FROM temp.file_total
WHERE without > 0;
