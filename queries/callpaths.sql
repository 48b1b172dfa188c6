-- report: callpaths
-- question: Which call paths take the most time?
-- title: Call paths by self time
-- kinds: spans
-- instead: syscalls
-- options: corrected measured
-- tally: tree depth
-- plot: none
-- worth: self self_share calls total
-- column: name text - - name in the log
-- column: calls int - - number of calls
-- column: total duration ns less time of the calls, with their callees
-- column: self duration ns less time in the function itself, without its callees
-- column: self_share share fraction - share of all time of this kind
-- column: path text - - the call and its callers, the outermost first
-- compare: times key=path calls=calls time=self
--
-- Row per node of the call tree: a function with its chain of callers. At most 128 callers are
-- named, because the output would otherwise grow with depth times nodes.
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
-- remark loss
SELECT text FROM temp.span_remark;
-- include: open-share-of-tree
