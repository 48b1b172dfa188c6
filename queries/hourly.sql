-- report: hourly
-- title: Calls per hour
-- kinds: calls spans
-- options: timeline
-- tally: hour
-- column: hour number h
-- key: hour
-- column: count integer
-- column: share share fraction
-- column: of_day number h if picture
-- column: seconds real s if compare
-- compare: clock value=count seconds=seconds
-- include: hours
SELECT
    hours.hour,
    ifnull(sum(count), 0) AS count,
    -- include: hours-share
    , (SELECT yes FROM folded) AS of_day,
    -- include: hours-seconds
FROM hours
LEFT JOIN placed ON placed.hour = hours.hour
GROUP BY hours.hour
ORDER BY hours.hour;
-- include: hours-remark
