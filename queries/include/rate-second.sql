-- `clock`: units per second; NULL: no unit of time.
clock(second) AS MATERIALIZED (
    SELECT iif(t.clock_unit = 'ns', 1e9, NULL)
    FROM temp.selection AS s
    CROSS JOIN main.trace AS t ON t.id = s.trace
    LIMIT 1
)
