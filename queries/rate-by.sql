-- report: rate
-- question: How many calls or I/Os come per second, over time?
-- fact: times report
-- options: interval
-- plot: rate-by
-- fact: sizes columns bytes byte_rate
-- worth: time count byte_rate rate mean max bytes
-- by: class
-- title: I/Os over time, by class
-- kinds: io
-- tally: rate
-- by: file
-- title: Events over time, by file
-- kinds: io calls
-- tally: file_rate
-- fact: files report
-- by: operation
-- title: Calls over time, by operation
-- kinds: calls spans
-- tally: rate_operation
-- by: process
-- title: I/Os over time, by process
-- kinds: io
-- tally: rate_process
-- fact: processes report
-- part: states-operation
-- title: States of threads over time
-- kinds: states
-- when: by = operation
-- tally: rate_operation
-- part: states-process
-- title: Running threads over time, by process
-- kinds: states
-- when: by = process
-- tally: rate_process
-- part: states-thread
-- title: Running threads over time, by thread
-- kinds: states
-- when: by = thread
-- tally: rate_process
-- part: spans-process
-- title: Calls over time, by process
-- kinds: calls spans
-- when: by = process
-- tally: rate_process
-- fact: processes report
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
-- column: time time s - time since the start of the trace; for an interval, its start
-- by: class
-- column: class text - - read or write, synchronous (readsync, writesync) or not, flush, or other
-- by: file
-- column: file path - - the file; none if unknown
-- by: operation states-operation
-- column: operation text - - the operation, such as a system call or a function
-- part: process spans-process states-process
-- column: process text - - the process
-- part: spans-thread states-thread thread
-- column: thread text - - the thread
-- part: all
-- column: count int - - number of events, or of references, in the row
-- column: rate real 1/s more number per second
-- column: bytes bytes bytes - number of bytes
-- column: byte_rate int bytes/s more bytes per second
-- column: mean duration ns less mean
-- column: max duration ns less maximum
-- column: rank number if picture
--
-- Rows exist only for groups with events, or starts, in the interval.
-- by: class operation process spans-process spans-thread states-operation states-process states-thread thread
WITH
groups AS MATERIALIZED (SELECT "group" AS id, sum(count) AS count FROM temp.tally_rate GROUP BY "group"),
-- by: class
-- include: classes
,
named AS (
    SELECT g.*, class.name
    FROM groups AS g
    JOIN class ON class.number = g.id
-- by: operation states-operation
named AS (
    SELECT g.*, n.text AS name
    FROM groups AS g
    JOIN main.name AS n ON n.id = g.id
-- by: process
named AS (
    SELECT g.*, ifnull(a.name, '') AS name
    FROM groups AS g
    LEFT JOIN main.actor AS a ON a.id = g.id
-- part: spans-process states-process
named AS (
    SELECT g.*, ifnull(a.label, '') AS name
    FROM groups AS g
    LEFT JOIN temp.process AS a ON a.id = g.id
-- part: spans-thread states-thread thread
named AS (
    -- Calls of temp.tally_rate by thread.
    SELECT g.*, a.label AS name
    FROM groups AS g
    JOIN temp.thread AS a ON a.id = g.id
-- by: class operation process spans-process spans-thread states-operation states-process states-thread thread
)
-- Row per interval and group. temp.tally_rate (interval, group, count, bytes, timed, duration,
-- longest) can have several rows per key. `rank` is by count over all intervals. Groups of the same
-- name share it, and rows are grouped by rank instead of name.
,
-- include: rate-second
,
numbered AS (
    SELECT id, name, dense_rank() OVER (ORDER BY total DESC, name) AS rank
    FROM (SELECT id, name, sum(count) OVER (PARTITION BY name) AS total FROM named)
),
-- The join allows SQLite to build an index, which it does not do on results of window functions.
ranked AS MATERIALIZED (SELECT g.id, n.name, n.rank FROM groups AS g JOIN numbered AS n ON n.id = g.id),
counted AS (
    SELECT
        i.start AS time, i.length / second AS seconds, k.name, k.rank,
        sum(r.count) AS count, sum_time(r.bytes) AS bytes,
        -- include: rate-times
    FROM temp.rate_interval AS i
    CROSS JOIN clock
    CROSS JOIN temp.tally_rate AS r ON r.interval = i.interval
    CROSS JOIN ranked AS k ON k.id = r."group"
    GROUP BY i.interval, k.rank
)
SELECT
    time, name, count, count / seconds, bytes,
    CAST(round(bytes / seconds) AS INTEGER), mean, max, rank
FROM counted
ORDER BY time, rank
-- by: file
WITH
-- include: rate-second
,
intervals AS (SELECT rowid, start, length / (SELECT second FROM clock) AS seconds FROM temp.rate_interval)
-- The analysis returns rows in this order.
SELECT
    i.start, ifnull(o.name, ''), r.count, r.count / i.seconds, r.bytes,
    CAST(round(r.bytes / i.seconds) AS INTEGER),
    r.mean, r.longest, r.rank
FROM temp.tally_file_rate AS r
CROSS JOIN intervals AS i ON i.rowid = r.interval + 1
LEFT JOIN main.object AS o ON o.id = r.file
ORDER BY r.rowid
-- by: all
LIMIT ifnull(:top, -1);
-- include: rate-remark
-- include: outlying-remark
-- part: states-process states-thread
-- include: counted-state-remark
