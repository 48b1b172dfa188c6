-- report: returns
-- question: Which results other than 0 do calls return?
-- title: Results that are not 0
-- kinds: calls
-- needs: value=result
-- tally: return
-- blank: error
-- column: name text - - name in the log
-- column: return number - - what the call returned
-- column: error text - - error of the call
-- column: count int - - number of events or references of the row
-- compare: counts key=name,return,error value=count
SELECT n.text AS name, t.value AS "return", f.text AS error, sum(t.count) AS count
FROM temp.tally_return AS t
CROSS JOIN main.name AS n ON n.id = t.operation
LEFT JOIN main.name AS f ON f.id = t.error
GROUP BY n.kind, n.text, n.code, t.value, f.text
ORDER BY 4 DESC, 1, 2, 3
LIMIT ifnull(:top, -1);
