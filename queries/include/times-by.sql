-- kinds: calls
-- needs: duration=call
-- by: operation
-- title: Times of calls, by call
-- tally: times_operation
-- key: name
-- column: name text - - name in the log
-- by: file
-- title: Times of calls, by file
-- needs: object=file
-- tally: times_file
-- key: file
-- column: file path - - the file; none if unknown
-- by: hour
-- title: Times of calls, by hour
-- tally: times_hour
-- key: hour
-- column: hour number h - hour of the day; hours since the start if the trace has no time of day
-- by: none
-- title: Times of calls
-- tally: times_none
-- key: group
-- column: group text - - all calls
-- by: process
-- title: Times of calls, by process
-- tally: times_process
-- key: process
-- column: process text - - the process
-- by: thread
-- title: Times of calls, by thread
-- tally: times_thread
-- key: thread
-- column: thread text - - the thread
-- by: all
-- include: percentiles-columns
-- include: curve-columns
-- fact: fast-calls columns min mean p50 p90 p95 p99 p99.9
-- column: part text if compare
-- compare: values group=part
-- order: count
-- by: hour
SELECT
    CAST(d.name AS INTEGER) AS hour,
-- by: none
SELECT
    'all' AS "group",
-- by: file operation process thread
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
-- by: file none operation process thread
ORDER BY d.count DESC, d.name, c.value
LIMIT ifnull(:rows, -1);
-- by: all
-- include: percentiles-remark
-- include: untimed-remark
-- include: unpaired-calls
-- by: hour
-- include: zone-remark
