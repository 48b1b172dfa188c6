-- title: Time from issue to completion, by idle time before
-- kinds: io
-- options: q2c
-- tally: latency_idle
-- column: idle duration ns
-- key: idle
-- include: percentiles-columns
-- include: curve-columns
-- column: part text if compare
-- compare: values group=part
--
-- How long nothing was in flight before the issue: a row for each power of ten, from `idle` to less than
-- ten times that; 0 where something was, or had just completed; the first I/O of a trace has none.
SELECT
    iif(d.name = '', NULL, CAST(d.name AS INTEGER)) AS idle,
    -- include: percentiles
    ,
    -- include: curve
    , d.name AS part
-- include: curve-from
ORDER BY idle, c.value;
-- include: percentiles-remark
-- include: latency-remark
