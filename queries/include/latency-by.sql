-- kinds: io
-- options: q2c
-- by: class cdf
-- title: Time from issue to completion, by class
-- tally: latency
-- key: class
-- column: class text - - read or write, synchronous (readsync, writesync) or not, flush, or other
-- by: depth
-- title: Time from issue to completion, by number in flight at issue
-- tally: latency_depth
-- key: depth
-- column: depth int - - I/Os in flight, or nesting depth of the calls
--
-- I/Os in flight at the issue: up to 63 one row each, then a row per power of two, from `depth` to
-- one less than twice that.
-- by: file
-- title: Time from issue to completion, by file
-- needs: object=file
-- tally: latency_file
-- key: file
-- order: count
-- fact: files report
-- column: file path - - the file; none if unknown
-- by: filetype
-- title: Time from issue to completion, by file type
-- tally: latency_filetype
-- key: file_type
-- order: count
-- fact: file-types report
-- column: file_type text - - the type of the file, by its name
-- by: hour
-- title: Time from issue to completion, by hour
-- tally: latency_hour
-- key: hour
-- column: hour number h - hour of the day; hours since the start if the trace has no time of day
--
-- Hours of the day if all traces have a wall clock, else since the start.
-- by: idle
-- title: Time from issue to completion, by idle time before
-- tally: latency_idle
-- key: idle
-- column: idle duration ns - idle time before the I/O, as a power of ten; 0: other I/Os were in flight
--
-- Idle time before the issue: a row per power of ten, from `idle` to less than ten times that. 0:
-- I/Os were in flight, or had just completed. The first I/O of a trace has none.
-- by: none
-- title: Time from issue to completion
-- tally: latency_none
-- key: group
-- column: group text - - all I/Os
-- by: process
-- title: Time from issue to completion, by process
-- tally: latency_process origin
-- key: process
-- order: count
-- fact: processes report
-- column: process text - - the process
-- by: size
-- title: Time from issue to completion, by size
-- tally: latency_size
-- key: size
-- column: size bytes bytes - size in bytes; in doubling rows, the smallest
--
-- Row per power of two: sizes from `size` to one byte less than twice that.
-- by: all
-- include: percentiles-columns
-- include: curve-columns
-- column: part text if compare
-- compare: values group=part
-- by: class cdf
WITH
-- include: classes
SELECT
    iif(:unsynchronous, replace(class.name, 'sync', ''), class.name),
-- by: depth
SELECT
    CAST(d.name AS INTEGER) AS depth,
-- by: file filetype process
SELECT
    d.name,
-- by: hour
SELECT
    CAST(d.name AS INTEGER) AS hour,
-- by: idle
SELECT
    iif(d.name = '', NULL, CAST(d.name AS INTEGER)) AS idle,
-- by: none
SELECT
    'all' AS "group",
-- by: size
SELECT
    CASE d.name WHEN '' THEN NULL WHEN '0' THEN 0 ELSE 1 << (CAST(d.name AS INTEGER) - 1) END AS size,
-- by: all
    -- include: percentiles
    ,
    -- include: curve
    , d.name AS part
-- include: curve-from
-- by: class cdf
JOIN class ON class.number = CAST(d.name AS INTEGER)
ORDER BY class.place, c.value;
-- by: depth
ORDER BY depth, c.value;
-- by: file filetype process
ORDER BY d.count DESC, d.name, c.value
LIMIT ifnull(:rows, -1);
-- by: hour
ORDER BY hour, c.value;
-- by: idle
ORDER BY idle, c.value;
-- by: none
ORDER BY c.value;
-- by: size
ORDER BY CAST(d.name AS INTEGER), c.value;
-- by: all
-- include: percentiles-remark
-- include: latency-remark
-- by: class cdf
-- remark
SELECT 'synchronous: ' || counted(sum(count), 'read{ or write counts|s and writes count} as plain: the other log does not mark synchronous I/O')
FROM temp.tally_latency
WHERE :unsynchronous AND class IN (io_class_number('readsync'), io_class_number('writesync'))
HAVING sum(count) > 0;
-- by: hour
-- include: zone-remark
-- by: process
-- include: origin-remark
