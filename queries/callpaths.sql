-- report: callpaths
-- title: Call paths by their own time
-- kinds: spans
-- options: corrected measured
-- tally: tree depth
-- plot: none
-- column: name text
-- column: calls integer
-- column: total duration ns
-- column: self duration ns
-- column: self_share share fraction
-- column: path text
-- compare: times key=path calls=calls time=self
--
-- A row for each node of the call tree: a function as far as exactly these called it. Of the callers,
-- at most 128 are named, or a path as deep as the log would be named once for each of its nodes.
WITH most AS MATERIALIZED (
    SELECT t.node, t.parent, t.calls, t.total, t.self, n.text AS name, n.code
    FROM temp.tally_tree AS t
    JOIN main.name AS n ON n.id = t.operation
    WHERE t.calls > 0 OR t.self IS NOT NULL
    ORDER BY t.self DESC, name, n.code, t.node
    LIMIT ifnull(:top, -1)
)
SELECT
    name,
    calls,
    total,
    self,
    self / nullif((SELECT total(self) FROM temp.tally_tree), 0.0) AS self_share,
    call_path((
        SELECT call_tree(t.node, t.parent, t.operation, n.text)
        FROM temp.tally_tree AS t JOIN main.name AS n ON n.id = t.operation
    ), node) AS path
FROM most
ORDER BY self DESC, name, code, node;
-- remark
SELECT text FROM temp.span_remark;
-- include: open-share-of-tree
