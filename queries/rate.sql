-- report: rate
-- question: How many calls or I/Os come per second, over time?
-- part: calls
-- title: Calls over time
-- kinds: calls spans
-- part: states
-- title: Running threads over time
-- kinds: states
-- part: all
-- options: interval
-- tally: rate
-- worth: time count rate mean depth max
-- column: time time s - when it was, since the start of the trace; of an interval, when it begins
-- column: count int - - how many of what the row is of
-- column: rate real 1/s more how many a second
-- column: mean duration ns less the average
-- column: max duration ns less the longest
-- column: depth real - - how many were in flight on average
--
-- A row an interval, the empty ones included. A call, or a state, is counted where it begins. `depth` is how many
-- calls were running, over all threads, the mean over time.
WITH
-- include: rate-second
SELECT
    i.start AS time,
    ifnull(sum(r.count), 0) AS count,
    ifnull(sum(r.count), 0) / (i.length / second) AS rate,
    -- include: rate-times
    , 1.0 * i.in_flight / i.length AS depth
FROM temp.rate_interval AS i
CROSS JOIN clock
LEFT JOIN temp.tally_rate AS r ON r.interval = i.interval
GROUP BY i.interval
ORDER BY i.interval;
-- include: rate-remark
-- include: outlying-remark
-- part: states
-- include: counted-state-remark
