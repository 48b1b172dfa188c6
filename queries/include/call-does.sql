-- Calls of the selected traces that open, read, write, copy or flush a file, by name.
call_does (name, does) AS MATERIALIZED (
    SELECT DISTINCT n.text, call_does(n.text)
    FROM temp.selection AS s
    CROSS JOIN main.name AS n ON n.trace = s.trace
    WHERE call_does(n.text) IS NOT NULL
)
