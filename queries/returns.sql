-- report: returns
-- title: Return codes that are not 0
-- kinds: spans
-- events: yes
-- tally: depth
-- column: name text
-- column: return number
-- column: count integer
-- compare: counts key=name,return value=count
SELECT n.text AS name, e.value AS code, count(*) AS count
FROM temp.selected_event AS e
CROSS JOIN main.name AS n ON n.id = e.operation
WHERE e.value <> 0
GROUP BY n.kind, n.text, n.code, e.value
ORDER BY 3 DESC, 1, 2
LIMIT ifnull(:top, -1);
-- remark
SELECT text FROM temp.span_remark;
