-- title: Time from issue to completion, by hour
-- kinds: io
-- options: q2c
-- tally: latency_hour
-- column: hour number h
-- key: hour
-- include: percentiles-columns
-- include: curve-columns
-- column: part text if compare
-- compare: values group=part
--
-- Hours of the day where all traces have a wall clock, else since the start.
SELECT
    CAST(d.name AS INTEGER) AS hour,
    -- include: percentiles
    ,
    -- include: curve
    , d.name AS part
-- include: curve-from
ORDER BY hour, c.value;
-- include: percentiles-remark
-- include: latency-remark
-- include: zone-remark
