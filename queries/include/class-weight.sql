-- Weights of I/O classes, by --weights.
class_weight AS MATERIALIZED (
    SELECT io_class_number(name) AS class, call, byte
    FROM temp.weight
    WHERE name IN ('read', 'readsync', 'write', 'writesync', 'flush', 'other')
)
