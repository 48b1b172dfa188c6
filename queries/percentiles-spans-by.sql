-- report: percentiles
-- question: Which percentiles do latencies have, by group?
-- kinds: spans
-- options: corrected measured
-- plot: latency
-- order: count
-- by: operation
-- title: Times of calls, by function
-- when: by = operation by default
-- tally: times_operation depth
-- key: name
-- column: name text - - name in the log
-- by: hour
-- title: Times of calls, by hour
-- tally: times_hour depth
-- key: hour
-- column: hour number h - hour of the day; hours since the start if the trace has no time of day
-- by: none
-- title: Times of calls
-- tally: times_none depth
-- key: group
-- column: group text - - all calls
-- by: process
-- title: Times of calls, by process
-- tally: times_process depth
-- key: process
-- column: process text - - the process
-- by: thread
-- title: Times of calls, by thread
-- tally: times_thread depth
-- key: thread
-- column: thread text - - the thread
-- by: all
-- include: percentiles-columns
-- include: curve-columns
-- column: part text if compare
-- compare: values group=part
-- by: hour
SELECT
    CAST(d.name AS INTEGER) AS hour,
-- by: none
SELECT
    'all' AS "group",
-- by: operation process thread
SELECT
    d.name,
-- by: all
    -- include: percentiles
    ,
    -- include: curve
    , d.name AS part
-- include: curve-from
-- by: hour
ORDER BY hour, c.value;
-- by: none operation process thread
ORDER BY d.count DESC, d.name, c.value
LIMIT ifnull(:rows, -1);
-- by: all
-- include: percentiles-remark
-- remark definition
SELECT 'the time of a call includes the functions that it calls; a recursive call counts as a call, too';
-- remark loss
SELECT text FROM temp.span_remark;
-- by: hour
-- include: zone-remark
