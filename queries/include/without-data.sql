-- remark excluded
-- For reports on positions or sizes. Uses temp.tally_size.
SELECT printf('excluded, no data: %d flushes, %d other I/Os',
    sum(count) FILTER (WHERE class = io_class_number('flush')),
    sum(count) FILTER (WHERE class <> io_class_number('flush')))
FROM temp.tally_size
WHERE size = 0
HAVING sum(count) > 0;
