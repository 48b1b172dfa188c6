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
WITH RECURSIVE node AS (
    SELECT t.node, t.parent, n.text AS name, n.code, t.calls, t.total, t.self
    FROM temp.tally_tree AS t
    JOIN main.name AS n ON n.id = t.operation
),
tree (depth, total, name, code, node, calls, self) AS (
    SELECT 0, total, name, code, node, calls, self FROM node WHERE parent IS NULL
    UNION ALL
    SELECT tree.depth + 1, c.total, c.name, c.code, c.node, c.calls, c.self
    FROM tree
    JOIN node AS c ON c.parent = tree.node
    -- The deepest of what is found and not yet a row comes next.
    ORDER BY 1 DESC, 2 DESC, 3, 4
)
SELECT
    depth,
    name,
    calls,
    total,
    self,
    1.0 * total / nullif((SELECT sum(self) FROM temp.tally_tree), 0) AS total_share
FROM tree
LIMIT ifnull(:top, -1);
-- remark
SELECT text FROM temp.span_remark;
