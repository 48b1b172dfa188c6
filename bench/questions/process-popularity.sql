-- trace: palmist
-- report: popularity --process $process_option
-- columns: name count
-- reads: all
SELECT n.text, count(*)
FROM event AS e JOIN name AS n ON n.id = e.operation JOIN actor AS a ON a.id = e.actor
WHERE a.code = $process
GROUP BY n.text, n.code;
