-- The classes of I/O and their numbers.
class(number, name) AS (
    SELECT io_class_number(column1), column1
    FROM (VALUES ('read'), ('readsync'), ('write'), ('writesync'), ('other'))
)
