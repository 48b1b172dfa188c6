-- report: calltree
-- page: 12
-- question: Which functions call which, and where does the time go?
-- kinds: spans
-- instead: syscalls
-- options: corrected measured
-- compare: tree
-- part: inverted
-- title: Callers upwards from each function
-- when: inverted
-- tally: inverted depth
-- A function's children are its callers, and their callers. A row's calls and times are those of
-- the function at depth 0 on this path.
-- part: main
-- title: Call tree
-- tally: tree depth
-- Depth first: callees follow their caller, sorted by the time of their subtree, largest first.
-- part: all
-- Columns of both directions.
-- column: depth int - - I/Os in flight, or nesting depth of the calls
-- column: name text indented - name in the log
-- column: calls int - - number of calls
-- column: total duration ns less time of the calls, with their callees
-- column: self duration ns less time in the function itself, without its callees
-- part: main
-- column: total_share share fraction - share of all time of this kind
-- part: inverted
-- column: self_share share fraction - share of all time of this kind
-- part: all
--
WITH RECURSIVE
    -- Nodes of temp.tally_tree, depth first. Siblings are sorted by the time of their subtree, then
    -- by name.
    tree (depth, subtree, name, code, node, calls, total, self) AS (
        SELECT t.depth, t.subtree, n.text, n.code, t.node, t.calls, t.total, t.self
        FROM temp.tally_tree AS t
        CROSS JOIN main.name AS n ON n.id = t.operation
        ORDER BY t.place
    )
SELECT
    depth,
    name,
    calls,
    total,
    self,
-- part: main
    total / nullif((SELECT total(outer) FROM temp.tally_tree), 0.0) AS total_share
FROM tree
LIMIT ifnull(:top, -1);
-- remark loss
SELECT text FROM temp.span_remark;
-- include: open-share-of-tree
-- part: inverted
    self / nullif((SELECT total(self) FROM temp.tally_tree WHERE parent IS NULL), 0.0) AS self_share
FROM tree
LIMIT ifnull(:top, -1);
-- remark definition
SELECT printf('total: time of outermost calls only; self: own time of all calls, also nested ones, and so larger than total in %s', counted(count(*), 'row{s}'))
FROM temp.tally_tree WHERE self > total
HAVING count(*);
-- remark loss
SELECT text FROM temp.span_remark;
-- remark loss
SELECT printf('calls still open at the end of the log: %.2f %% of the self time', 100.0 * p.self / w.self)
FROM temp.open_part AS p
JOIN (SELECT total(self) AS self FROM temp.tally_tree WHERE parent IS NULL) AS w
WHERE p.calls > 0 AND w.self > 0;
