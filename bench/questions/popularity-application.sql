-- trace: palmist
-- report: popularity --of application
-- columns: name count
SELECT printf('0x%08x', a.code), count(*)
FROM event AS e JOIN actor AS a ON a.id = e.actor
GROUP BY a.code;
