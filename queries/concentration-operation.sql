-- report: concentration
-- title: Concentration on operations
-- kinds: calls spans
-- when: of = operation by default
-- tally: operation
-- plot: none
-- include: concentration
-- concentration
SELECT n.text, sum(t.count)
FROM temp.tally_operation AS t
LEFT JOIN temp.merged_operation AS m ON m.id = t.operation
JOIN main.name AS n ON n.id = ifnull(m.merged, t.operation)
GROUP BY n.kind, n.text, n.code
