-- report: hourly
-- title: I/Os per hour
-- kinds: io
-- options: timeline
-- tally: hour
-- plot: hourly-io
-- column: hour number h
-- key: hour
-- include: class-columns
-- column: share share fraction
-- column: of_day number h if picture
-- column: seconds real s if compare
-- compare: clock value=total seconds=seconds
-- include: hours
SELECT
    hours.hour,
    -- include: class-counts
    ,
    -- include: hours-share
    , (SELECT yes FROM folded) AS of_day,
    -- include: hours-seconds
FROM hours
LEFT JOIN placed ON placed.hour = hours.hour
GROUP BY hours.hour
ORDER BY hours.hour;
-- include: hours-remark
