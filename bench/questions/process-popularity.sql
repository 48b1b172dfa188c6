-- trace: palmist
-- report: popularity --process 0x00010f3c
-- columns: name count
-- reads: all
SELECT n.text, count(*)
FROM event AS e JOIN name AS n ON n.id = e.operation JOIN actor AS a ON a.id = e.actor
WHERE a.code = 69436 -- 0x00010f3c
GROUP BY n.text, n.code;
