-- Weights of operations by --weights: by component and name, else by name, else by component.
weight_of AS MATERIALIZED (
    SELECT n.id AS operation, w.call, w.byte, w.ms
    FROM temp.selection AS s
    CROSS JOIN main.name AS n ON n.trace = s.trace
    LEFT JOIN main.name AS c ON c.id = n.component
    JOIN temp.weight AS w ON w.name = coalesce(
        (SELECT x.name FROM temp.weight AS x WHERE x.name = c.text || ':' || n.text),
        (SELECT x.name FROM temp.weight AS x WHERE x.name = n.text),
        (SELECT x.name FROM temp.weight AS x WHERE x.name = c.text))
    WHERE :weights IS NOT NULL
        AND n.kind NOT IN ('error', 'class', 'component')
)
