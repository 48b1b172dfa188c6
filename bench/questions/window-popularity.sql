-- trace: palmist
-- report: popularity --from $from_option --to $to_option
-- columns: name count
-- reads: window
SELECT n.text, count(*)
FROM event AS e JOIN name AS n ON n.id = e.operation
WHERE e.time >= $from AND e.time < $to
GROUP BY n.text, n.code;
