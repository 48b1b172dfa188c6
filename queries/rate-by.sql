-- report: rate
-- options: interval
-- plot: rate-by
-- fact: sizes columns bytes byte_rate
-- by: class
-- title: I/Os over time, by class
-- kinds: io
-- tally: rate
-- by: file
-- title: Events over time, by file
-- kinds: io calls
-- tally: rate_file
-- fact: files report
-- by: operation
-- title: Calls over time, by operation
-- kinds: calls spans
-- tally: rate_operation
-- by: process
-- title: Events over time, by process
-- kinds: io calls
-- tally: rate_process
-- fact: processes report
-- part: spans-process
-- title: Calls over time, by process
-- kinds: spans
-- when: by = process
-- tally: rate_process
-- part: spans-thread
-- title: Calls over time, by thread
-- kinds: spans
-- when: by = thread
-- tally: rate_process
-- by: thread
-- title: Calls over time, by thread
-- kinds: calls
-- needs: actor=thread
-- tally: rate_process
-- part: all
-- column: time time s - when it was, since the start of the trace; of an interval, when it begins
-- by: class
-- column: class text - - read or write, synchronous (readsync, writesync) or not, flush, or other
-- by: file
-- column: file text - - the file; none where it is not known
-- by: operation
-- column: operation text - - the operation, as a system call or a function
-- part: process spans-process
-- column: process text - - the process
-- part: spans-thread thread
-- column: thread text - - the thread
-- part: all
-- column: count int - - how many of what the row is of
-- column: rate real 1/s more how many a second
-- column: bytes bytes bytes - how many bytes
-- column: byte_rate int bytes/s more bytes a second
-- column: mean duration ns less the average
-- column: max duration ns less the longest
-- column: rank number if picture
--
-- Only what did something, or began, in an interval has a row there.
WITH
-- by: class
-- include: classes
,
grouped AS (
    SELECT class.name, r.*
    FROM temp.tally_rate AS r
    JOIN class ON class.number = r."group"
-- by: file
grouped AS (
    SELECT ifnull(o.name, '') AS name, r.*
    FROM temp.tally_rate AS r
    LEFT JOIN main.object AS o ON o.id = r."group"
-- by: operation
grouped AS (
    SELECT n.text AS name, r.*
    FROM temp.tally_rate AS r
    JOIN main.name AS n ON n.id = r."group"
-- by: process
grouped AS (
    SELECT ifnull(a.name, '') AS name, r.*
    FROM temp.tally_rate AS r
    LEFT JOIN main.actor AS a ON a.id = r."group"
-- part: spans-process
grouped AS (
    SELECT a.label AS name, r.*
    FROM temp.tally_rate AS r
    JOIN temp.process AS a ON a.id = r."group"
-- part: spans-thread thread
grouped AS (
    -- Calls in temp.tally_rate by thread.
    SELECT a.label AS name, r.*
    FROM temp.tally_rate AS r
    JOIN temp.thread AS a ON a.id = r."group"
-- part: all
)
-- A row for each interval and what did something in it, out of `grouped` (interval, name, count, bytes,
-- timed, duration, longest), whose equal keys may be several rows. `rank` is by how often over all.
,
-- include: rate-second
,
ranked AS MATERIALIZED (
    SELECT name, row_number() OVER (ORDER BY sum(count) DESC, name) AS rank
    FROM grouped
    GROUP BY name
),
counted AS (
    SELECT
        i.start AS time, i.length / second AS seconds, r.name,
        sum(r.count) AS count, sum_time(r.bytes) AS bytes,
        -- include: rate-times
    FROM temp.rate_interval AS i
    CROSS JOIN clock
    CROSS JOIN grouped AS r ON r.interval = i.interval
    GROUP BY i.interval, r.name
)
SELECT
    time, counted.name, count, count / seconds, bytes,
    CAST(round(bytes / seconds) AS INTEGER), mean, max, rank
FROM counted
JOIN ranked ON ranked.name IS counted.name
ORDER BY time, rank
LIMIT ifnull(:top, -1);
-- include: rate-remark
-- include: outlying-remark
