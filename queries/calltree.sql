-- report: calltree
-- title: Call tree
-- kinds: spans
-- options: corrected measured
-- tally: tree depth
-- include: call-tree-columns
-- column: total_share share fraction
--
-- Depth first: a row's callees follow it, those whose subtree takes most before the others.
WITH RECURSIVE
    -- include: call-tree
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
-- remark
SELECT printf('%.2f %% of the self time is that of calls still open', 100.0 * p.self / w.self)
FROM temp.open_part AS p
JOIN (SELECT total(self) AS self FROM temp.tally_tree) AS w
WHERE p.calls > 0 AND w.self > 0;
