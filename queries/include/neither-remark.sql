-- remark excluded
SELECT 'excluded: ' || counted(sum(count), 'I/O{s} with data that {is neither read nor write|are neither reads nor writes}, such as {a discard|discards}')
FROM temp.tally_size
WHERE size > 0 AND class = io_class_number('other')
HAVING sum(count) > 0;
