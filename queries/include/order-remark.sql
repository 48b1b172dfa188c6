-- remark definition
-- Tells whether I/Os follow completions.
SELECT 'I/Os in order of completion (C); --action D: in order of issue'
WHERE EXISTS (
    SELECT 1 FROM temp.selection AS s
    JOIN main.name AS c ON c.id = s.action AND c.text = 'C'
    JOIN main.name AS d ON d.trace = s.trace AND d.kind = 'action' AND d.text = 'D'
);
