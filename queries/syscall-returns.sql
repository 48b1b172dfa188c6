-- report: returns
-- kinds: calls
-- part: results
-- tally: return call_operation
-- question: Which results other than 0 do calls return?
-- title: Results that are not 0
-- needs: value=result
-- blank: error
-- compare: counts key=name,return,error value=count
-- column: name text - - name in the log
-- column: return number - - what the call returned
-- column: error text - - error with which the calls failed, such as ENOENT
-- part: ttl
-- tally: return
-- question: Which times to live other than 0 do requests have?
-- title: Times to live that are not 0
-- needs: value=ttl
-- compare: counts key=name,ttl value=count
-- column: name text - - name in the log
-- column: ttl number - - time to live, in the log's unit
-- part: all
-- column: count int - - number of events, or of references, in the row
SELECT n.text AS name, t.value AS "return",
-- part: results
    f.text AS error,
-- part: all
    sum(t.count) AS count
FROM temp.tally_return AS t
CROSS JOIN main.name AS n ON n.id = t.operation
LEFT JOIN main.name AS f ON f.id = t.error
GROUP BY n.kind, n.text, n.code, t.value, f.text
ORDER BY sum(t.count) DESC, n.text, t.value, f.text
LIMIT ifnull(:top, -1);
-- part: results
-- include: not-returned-remark
