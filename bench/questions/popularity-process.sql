-- trace: most-binary
-- report: popularity --of process
-- columns: name count
SELECT a.name, count(*)
FROM event AS e JOIN actor AS a ON a.id = e.actor
GROUP BY a.name;
