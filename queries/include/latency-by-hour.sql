-- title: Time from issue to completion, by hour
-- kinds: io
-- options: q2c
-- tally: latency_hour
-- plot: latency
-- column: hour number h
-- key: hour
-- include: percentiles-columns
-- column: part text if compare
-- compare: values group=part
--
-- Hours of the day where all traces have a wall clock, else since the start.
SELECT
    CAST(d.name AS INTEGER) AS hour,
    -- include: percentiles
    , d.name AS part
FROM temp.distribution AS d
ORDER BY hour;
-- include: percentiles-remark
-- include: latency-remark
-- include: zone-remark
