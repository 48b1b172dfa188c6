-- report: returns
-- title: Results that are not 0
-- kinds: calls
-- needs: value=result
-- events: yes
-- column: name text
-- column: return number
-- column: error text
-- column: count integer
-- compare: counts key=name,return,error value=count
SELECT n.text AS name, e.value AS "return", f.text AS error, count(*) AS count
FROM temp.selected_event AS e
CROSS JOIN main.name AS n ON n.id = e.operation
LEFT JOIN main.name AS f ON f.id = e.error
WHERE e.value <> 0 OR e.error IS NOT NULL
GROUP BY n.kind, n.text, n.code, e.value, f.text
ORDER BY 4 DESC, 1, 2, 3
LIMIT ifnull(:top, -1);
