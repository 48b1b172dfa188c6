-- report: calltree
-- title: Callers upwards from each function
-- kinds: spans
-- when: inverted
-- options: corrected measured
-- tally: inverted depth
-- include: call-tree-columns
-- column: self_share share fraction
--
-- Beneath a function is who called it, and who called that. A row's calls and times are those of the
-- function at depth 0, as far as it was called so.
WITH RECURSIVE
    -- include: call-tree
SELECT
    depth,
    name,
    calls,
    total,
    self,
    self / nullif((SELECT total(self) FROM temp.tally_tree WHERE parent IS NULL), 0.0) AS self_share
FROM tree
LIMIT ifnull(:top, -1);
-- remark
SELECT printf('total is of outermost calls, self of all: in %d rows self is more', count(*))
FROM temp.tally_tree WHERE self > total
HAVING count(*);
-- remark
SELECT text FROM temp.span_remark;
-- remark
SELECT printf('%.2f %% of the self time is that of calls still open', 100.0 * p.self / w.self)
FROM temp.open_part AS p
JOIN (SELECT total(self) AS self FROM temp.tally_tree WHERE parent IS NULL) AS w
WHERE p.calls > 0 AND w.self > 0;
