    -- Columns of class-columns.sql, from rows with `class` and `count`.
    ifnull(sum(count) FILTER (WHERE class = io_class_number('read')), 0) AS read,
    ifnull(sum(count) FILTER (WHERE class = io_class_number('readsync')), 0) AS readsync,
    ifnull(sum(count) FILTER (WHERE class = io_class_number('write')), 0) AS write,
    ifnull(sum(count) FILTER (WHERE class = io_class_number('writesync')), 0) AS writesync,
    ifnull(sum(count) FILTER (WHERE class = io_class_number('flush')), 0) AS flush,
    ifnull(sum(count) FILTER (WHERE class = io_class_number('other')), 0) AS other,
    ifnull(sum(count), 0) AS total
