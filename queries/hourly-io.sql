-- report: hourly
-- title: I/Os per hour
-- kinds: io
-- options: timeline
-- tally: hour
-- plot: hourly-io
-- column: hour integer
-- include: class-columns
-- include: hours
SELECT
    hours.hour,
    -- include: class-counts
FROM hours
LEFT JOIN placed ON placed.hour = hours.hour
GROUP BY hours.hour
ORDER BY hours.hour;
-- include: hours-remark
