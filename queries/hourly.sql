-- report: hourly
-- title: Calls per hour
-- kinds: calls spans
-- options: timeline
-- tally: hour
-- column: hour integer
-- column: count integer
-- include: hours
SELECT hours.hour, ifnull(sum(count), 0) AS count
FROM hours
LEFT JOIN placed ON placed.hour = hours.hour
GROUP BY hours.hour
ORDER BY hours.hour;
-- include: hours-remark
