-- Counts of temp.tally_size, with flags for reads and writes.
sized AS (
    SELECT
        class, size, count, bytes,
        class IN (io_class_number('read'), io_class_number('readsync')) AS is_read,
        class IN (io_class_number('write'), io_class_number('writesync')) AS is_write,
        class = io_class_number('flush') AS is_flush
    FROM temp.tally_size
)
