-- remark
SELECT printf('cost: in %s, by the weights per call, byte and ms in %s; names without a line there cost nothing', unit, :weights)
FROM temp.weight_unit;
-- remark
SELECT 'names with a weight that are not in the trace: ' || group_concat(name, ', ')
FROM (
    SELECT w.name
    FROM temp.weight AS w
    WHERE NOT EXISTS (
        SELECT 1
        FROM temp.selection AS s
        CROSS JOIN main.trace AS t ON t.id = s.trace AND t.kind <> 'io'
        CROSS JOIN main.name AS n ON n.trace = s.trace
        LEFT JOIN main.name AS c ON c.id = n.component
        WHERE w.name IN (n.text, c.text, c.text || ':' || n.text)
        AND n.kind NOT IN ('error', 'class', 'component')
    ) AND NOT (
        w.name IN ('read', 'readsync', 'write', 'writesync', 'flush', 'other')
        AND EXISTS (SELECT 1 FROM temp.selection AS s CROSS JOIN main.trace AS t ON t.id = s.trace
            WHERE t.kind = 'io')
    )
    ORDER BY w.line
)
HAVING count(*) > 0;
