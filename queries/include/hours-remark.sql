-- include: zone-remark
-- remark
-- Reports over time are named here. Events far from all others make no hours.
WITH RECURSIVE
-- include: outlying
SELECT 'less than three hours: rate, with --interval, and timeline suit them better than hours of the day'
WHERE (
    SELECT max(b.time - a.time) FROM temp.selection AS s
    LEFT JOIN kept AS k ON k.trace = s.trace
    CROSS JOIN main.event AS a ON a.id = ifnull(k.first, s.first_event)
    CROSS JOIN main.event AS b ON b.id = ifnull(k.last, s.last_event)
    WHERE s.first_event <= s.last_event
) < 3 * 3600 * 1000000000;
-- include: outlying-remark
