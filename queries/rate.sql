-- report: rate
-- question: How many calls or I/Os come per second, over time?
-- fact: times report
-- part: level
-- title: The largest change of the rate and of the median time
-- kinds: calls io spans states
-- when: by = level
-- tally: level
-- plot: none
-- key: trace of
-- worth: of time before_median after_median before_rate after_rate p
-- column: trace text - if several - the trace
-- column: of text - - what changed: the rate, or the median time
-- column: time time s - time of the change, since the start of the trace
-- column: before_rate real 1/s - number per second before the change
-- column: after_rate real 1/s - number per second after the change
-- column: before_median duration ns - median time before the change
-- column: after_median duration ns - median time after the change
-- column: p real - - p-value: how probable such a change is by chance
--
-- The one time that parts the log into the two most different parts, by blocks of a sixtieth of the
-- log. p as in compare. No row if there are too few blocks with calls or I/Os.
-- part: io
-- title: I/Os over time
-- kinds: io
-- options: interval
-- tally: rate
-- plot: rate
-- worth: time iops read_rate write_rate mean depth max count reads writes
-- column: time time s - time since the start of the trace; for an interval, its start
-- column: count int - - number of events, or of references, in the row
-- column: iops real 1/s more I/Os per second
-- column: reads int - - number of reads
-- column: writes int - - number of writes
-- column: read_bytes bytes bytes - bytes read
-- column: write_bytes bytes bytes - bytes written
-- column: read_rate int bytes/s more bytes read per second
-- column: write_rate int bytes/s more bytes written per second
-- column: mean duration ns less mean
-- column: max duration ns less maximum
-- column: depth real - - mean number of I/Os in flight
-- fact: reads-and-writes columns reads writes read_bytes write_bytes read_rate write_rate
-- fact: sizes columns read_bytes write_bytes read_rate write_rate
--
-- Row per interval, including empty ones. An I/O counts at its counted action. `depth` is the mean
-- number of I/Os in flight over time.
-- part: calls
-- title: Calls over time
-- kinds: calls spans
-- part: states
-- title: Running threads over time
-- kinds: states
-- part: calls states
-- options: interval
-- tally: rate
-- worth: time count rate mean depth max
-- column: time time s - time since the start of the trace; for an interval, its start
-- column: count int - - number of events, or of references, in the row
-- column: rate real 1/s more number per second
-- column: mean duration ns less mean
-- column: max duration ns less maximum
-- column: depth real - - mean number of I/Os in flight
--
-- Row per interval, including empty ones. A call or state counts where it begins. `depth` is the
-- mean number of running calls over time, of all threads.
-- part: level
SELECT t.name AS trace, iif(l.timed, 'time', 'rate') AS "of", l.time,
    iif(NOT l.timed, l.earlier * 1e9 / l.length, NULL) AS before_rate,
    iif(NOT l.timed, l.later * 1e9 / l.length, NULL) AS after_rate,
    iif(l.timed, CAST(l.earlier AS INTEGER), NULL) AS before_median,
    iif(l.timed, CAST(l.later AS INTEGER), NULL) AS after_median,
    l.chance AS p
FROM temp.tally_level AS l
JOIN main.trace AS t ON t.id = l.trace
WHERE l.timed OR t.clock_unit = 'ns'
ORDER BY 1, 2;
-- include: outlying-remark
-- remark definition
SELECT 'counted states of threads: running, or those that --op chooses'
WHERE EXISTS (SELECT 1 FROM temp.selection AS s JOIN main.trace AS t ON t.id = s.trace WHERE t.kind = 'states');
-- part: io
WITH
-- include: rate-second
,
rate AS (
    SELECT
        r.*,
        "group" IN (io_class_number('read'), io_class_number('readsync')) AS is_read,
        "group" IN (io_class_number('write'), io_class_number('writesync')) AS is_write
    FROM temp.tally_rate AS r
),
intervals AS (
    SELECT
        i.start AS time,
        i.length / second AS seconds,
        ifnull(sum(r.count), 0) AS count,
        ifnull(sum(r.count) FILTER (WHERE is_read), 0) AS reads,
        ifnull(sum(r.count) FILTER (WHERE is_write), 0) AS writes,
        ifnull(sum_time(r.bytes) FILTER (WHERE is_read), 0) AS read_bytes,
        ifnull(sum_time(r.bytes) FILTER (WHERE is_write), 0) AS write_bytes,
        -- include: rate-times
        , 1.0 * i.in_flight / i.length AS depth
    FROM temp.rate_interval AS i
    CROSS JOIN clock
    LEFT JOIN rate AS r ON r.interval = i.interval
    GROUP BY i.interval
    ORDER BY i.interval
)
SELECT
    time, count, count / seconds, reads, writes, read_bytes, write_bytes,
    CAST(round(read_bytes / seconds) AS INTEGER), CAST(round(write_bytes / seconds) AS INTEGER),
    mean, max, depth
FROM intervals;
-- include: rate-remark
-- include: outlying-remark
-- part: calls states
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
