-- trace: strace
-- report: errors
-- columns: name error file count
-- reads: all
SELECT n.text, x.text, coalesce(o.name, ''), count(*)
FROM event AS e
JOIN name AS n ON n.id = e.operation
JOIN name AS x ON x.id = e.error
LEFT JOIN object AS o ON o.id = e.object
GROUP BY n.text, x.text, o.name;
