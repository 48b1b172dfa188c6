-- remark
-- Of a report on places or sizes, out of temp.tally_size.
SELECT printf('left out, for they carry no data: %d flushes, %d further I/Os',
    sum(count) FILTER (WHERE class = io_class_number('flush')),
    sum(count) FILTER (WHERE class <> io_class_number('flush')))
FROM temp.tally_size
WHERE size = 0
HAVING sum(count) > 0;
