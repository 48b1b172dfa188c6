-- I/O classes in display order, with their numbers.
class(place, number, name) AS (
    SELECT column1, io_class_number(column2), column2
    FROM (VALUES (1, 'read'), (2, 'readsync'), (3, 'write'), (4, 'writesync'), (5, 'flush'),
        (6, 'other'))
)
