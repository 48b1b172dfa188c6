-- remark
-- Of a report on files, out of temp.popular_file.
SELECT without || ' of ' || count || ' events have no file and are left out; shares are of the rest'
FROM temp.file_total
WHERE without > 0;
