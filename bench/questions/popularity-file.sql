-- trace: most
-- report: popularity --of file
-- columns: name count
-- reads: all
SELECT o.name, count(*)
FROM event AS e JOIN object AS o ON o.id = e.object
WHERE e.operation = (SELECT id FROM name WHERE text = 'C') AND o.name IS NOT NULL
GROUP BY o.name;
