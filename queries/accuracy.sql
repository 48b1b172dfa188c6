-- report: accuracy
-- title: Mean times beside a reference
-- kinds: spans
-- options: reference
-- needs: reference
-- tally: span depth
-- column: name text
-- column: reference duration ns
-- column: measured duration ns
-- column: error share fraction
--
-- Rows in order of the reference's file.
WITH measured AS (
    SELECT n.text AS name, CAST(round(total(t.sum) / nullif(sum(t.timed), 0)) AS INTEGER) AS time,
        total(t.sum) / nullif(sum(t.timed), 0) AS mean
    FROM temp.tally_span AS t
    JOIN main.name AS n ON n.id = t.operation
    GROUP BY n.text
)
SELECT r.name, r.time, m.time, abs(m.mean - r.time) / nullif(r.time, 0)
FROM temp.reference AS r
LEFT JOIN measured AS m ON m.name = r.name
ORDER BY r.rowid
LIMIT ifnull(:top, -1);
-- remark
SELECT 'mean error ' || printf('%.6f', avg(abs(m.mean - r.time) / nullif(r.time, 0)))
FROM temp.reference AS r
JOIN (SELECT n.text AS name, total(t.sum) / nullif(sum(t.timed), 0) AS mean
    FROM temp.tally_span AS t JOIN main.name AS n ON n.id = t.operation GROUP BY n.text) AS m
    ON m.name = r.name
HAVING count(m.mean) > 0;
-- remark
SELECT 'reference ' || r.name || ' has no call with a duration' FROM temp.reference AS r
WHERE NOT EXISTS (SELECT 1 FROM temp.tally_span AS t JOIN main.name AS n ON n.id = t.operation
    WHERE n.text = r.name AND t.timed > 0);
-- remark
SELECT text FROM temp.span_remark;
