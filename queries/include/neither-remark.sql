-- remark excluded
-- For reports on positions of reads and writes. Uses temp.tally_size.
SELECT 'excluded: ' || counted(sum(count), 'I/O{s} with data that {is neither read nor write|are neither reads nor writes}, such as {a discard|discards}')
FROM temp.tally_size
WHERE size > 0
    AND class NOT IN (io_class_number('read'), io_class_number('readsync'), io_class_number('write'),
        io_class_number('writesync'))
HAVING sum(count) > 0;
