-- report: returns
-- question: Which results other than 0 do calls return?
-- title: Return codes that are not 0
-- kinds: spans
-- tally: return depth
-- column: name text - - name in the log
-- column: return number - - what the call returned
-- column: count int - - number of events, or of references, in the row
-- compare: counts key=name,return value=count
SELECT n.text AS name, t.value AS code, sum(t.count) AS count
FROM temp.tally_return AS t
CROSS JOIN main.name AS n ON n.id = t.operation
WHERE t.value <> 0
GROUP BY n.kind, n.text, n.code, t.value
ORDER BY 3 DESC, 1, 2
LIMIT ifnull(:top, -1);
-- remark loss
SELECT text FROM temp.span_remark;
