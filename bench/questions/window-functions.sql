-- trace: dwtrace
-- report: functions --from $from_option --to $to_option --whole-calls
-- columns: name calls self min max
-- reads: window
SELECT n.text, count(*), sum(coalesce(e.self, e.duration)), min(e.duration), max(e.duration)
FROM event AS e JOIN name AS n ON n.id = e.operation
WHERE (e.flags & 3) = 0 AND e.time >= $from AND e.time < $to
GROUP BY n.text;
