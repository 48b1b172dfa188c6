-- remark excluded
SELECT printf('excluded, no data: %s, %s',
    counted(sum(count) FILTER (WHERE class = io_class_number('flush')), 'flush{|es}'),
    counted(sum(count) FILTER (WHERE class <> io_class_number('flush')), 'other I/O{s}'))
FROM temp.tally_size
WHERE size = 0
HAVING sum(count) > 0;
