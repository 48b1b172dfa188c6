-- report: calltree
-- title: Call tree
-- kinds: spans
-- tally: tree depth
-- column: depth integer
-- column: name text
-- column: calls integer
-- column: total duration ns
-- column: self duration ns
-- column: total_share share fraction
--
-- Depth first: a row's callees follow it, those with the largest total before the others.
WITH RECURSIVE tree (depth, total, name, code, node, calls, self) AS (
    SELECT 0, t.total, n.text, n.code, t.node, t.calls, t.self
    FROM temp.tally_tree AS t
    JOIN main.name AS n ON n.id = t.operation
    WHERE t.parent IS NULL
    UNION ALL
    SELECT tree.depth + 1, t.total, n.text, n.code, t.node, t.calls, t.self
    FROM tree
    CROSS JOIN temp.tally_tree AS t ON t.parent = tree.node
    CROSS JOIN main.name AS n ON n.id = t.operation
    -- The deepest of what is found and not yet a row comes next.
    ORDER BY 1 DESC, 2 DESC, 3, 4
)
SELECT
    depth,
    name,
    calls,
    total,
    self,
    total / nullif((SELECT total(self) FROM temp.tally_tree), 0.0) AS total_share
FROM tree
LIMIT ifnull(:top, -1);
-- remark
SELECT text FROM temp.span_remark;
