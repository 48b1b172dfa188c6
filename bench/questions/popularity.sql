-- trace: palmist
-- report: popularity
-- columns: name count
SELECT n.text, count(*)
FROM event AS e JOIN name AS n ON n.id = e.operation
GROUP BY n.text, n.code;
