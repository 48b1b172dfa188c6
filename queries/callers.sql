-- report: callers
-- question: Who calls a function, and what does it call?
-- title: Callers and callees of a function
-- kinds: spans
-- instead: syscalls
-- tally: tree depth
-- op: function
-- parameter: function text "" "the function to show (default: the one with most self time)"
-- worth: total total_share self calls
-- column: relation text - - caller, or called
-- column: name text - - name in the log
-- column: calls int - - number of calls
-- column: calls_share share fraction - share of all calls
-- column: total duration ns less time of the calls, with their callees
-- column: total_share share fraction - share of all time of this kind
-- column: self duration ns less time in the function itself, without its callees
-- compare: times key=relation,name calls=calls time=total
--
-- Times are counted once. A caller's `total` is that of the function's outermost calls; a callee's
-- `total` is that of calls made directly by them. Direct recursion counts as one call.
WITH RECURSIVE
    -- include: callers
SELECT
    p.relation,
    CASE WHEN p.operation IS NULL THEN '(none)' ELSE n.text END AS name,
    sum(p.calls) AS calls,
    1.0 * sum(p.calls) / sum(sum(p.calls)) OVER (PARTITION BY p.relation) AS calls_share,
    sum_time(p.total) AS total,
    sum_time(p.total) / nullif((SELECT total(f.total) FROM part AS f
        WHERE f.relation = 'function'), 0.0) AS total_share,
    sum_time(p.self) AS self
FROM part AS p
LEFT JOIN main.name AS n ON n.id = p.operation
GROUP BY p.relation, p.operation
ORDER BY instr('caller function callee', p.relation), sum_time(p.total) DESC, name
LIMIT ifnull(:top, -1);
-- remark
WITH RECURSIVE
    -- include: callers
SELECT 'callers and callees of ' || name || iif(:function = '',
    ': most self time; --function NAME chooses another', '')
FROM meant WHERE EXISTS (SELECT 1 FROM wanted);
-- remark
SELECT 'no function ' || :function || ' in the selection'
WHERE :function <> '' AND NOT EXISTS (SELECT 1 FROM temp.tally_tree AS t
    CROSS JOIN main.name AS n ON n.id = t.operation WHERE n.text = :function);
-- remark definition
WITH RECURSIVE
    -- include: callers
SELECT printf('total: time of outermost calls only; self: own time of all calls, also nested ones, and so larger than total in %s', counted(count(*), 'row{s}'))
FROM (SELECT 1 FROM part GROUP BY relation, operation HAVING sum_time(self) > sum_time(total))
HAVING count(*);
-- remark loss
SELECT text FROM temp.span_remark;
