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
-- include: open-share-of-tree
