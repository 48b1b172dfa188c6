-- Directions of I/O classes, by class number.
class_does (class, does) AS (VALUES
    (io_class_number('read'), 'read'), (io_class_number('readsync'), 'read'),
    (io_class_number('write'), 'write'), (io_class_number('writesync'), 'write'),
    (io_class_number('flush'), 'flush')
)
