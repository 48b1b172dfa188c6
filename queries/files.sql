-- report: files
-- page: 40
-- question: Which files are read and written, and how much?
-- options: weights
-- kinds: calls
-- needs: object=file
-- window: begun
-- worth: opens fsyncs time bytes_read bytes_written reads writes share sequential_share
-- by: process
-- title: What was read and written, by process or thread
-- tally: operation copied call_thread file_locality weights
-- key: process
-- column: process text - - the process
-- by: program
-- title: What was read and written, by program
-- tally: operation copied call_thread file_locality weights
-- key: program
-- column: program text - - the name of the process, without its number
-- by: type
-- title: What was read and written, by file type
-- tally: file copied call_file file_locality weights
-- key: file_type
-- column: file_type text - - the type of the file, by its name
-- part: main
-- title: Files by what was read and written
-- instead: popularity --of file
-- tally: file copied call_file file_locality weights
-- key: file
-- column: file path - - the file; none where it is not known
--
-- A row for each file that was opened, read, written or flushed.
-- part: all
-- column: opens int - - how often the file was opened
-- column: reads int - - how many reads
-- column: writes int - - how many writes
-- column: fsyncs int - - how often the file was synchronised
-- include: files-columns
-- column: sequential_share share fraction more their share
-- column: time duration ns less time in calls on it
-- include: cost-columns
WITH
-- include: call-does
,
-- include: weight-of
,
-- by: process
caller AS (SELECT id, label FROM temp.process),
-- by: program
caller AS (SELECT id, label FROM temp.program),
-- by: all
item (name, does, count, bytes, cost) AS (
-- part: main
    SELECT o.name, iif(c.does = 'copy', 'write', c.does), t.count, t.bytes,
        w.call * t.count + w.byte * t.bytes
    FROM temp.tally_file AS t
    JOIN main.name AS n ON n.id = t.operation
    JOIN call_does AS c ON c.name = n.text
    LEFT JOIN weight_of AS w ON w.operation = t.operation
    JOIN main.object AS o ON o.id = t.object
    WHERE o.name IS NOT NULL
    UNION ALL
    SELECT o.name, 'read', t.count, t.bytes, 0
    FROM temp.tally_copied AS t
    JOIN main.object AS o ON o.id = t.object
    WHERE o.name IS NOT NULL
),
place AS (
    SELECT o.name, t.sequential, t.random
    FROM temp.tally_file_locality AS t
    JOIN main.object AS o ON o.id = t.object
),
took AS (
    SELECT o.name, sum_time(t.total) AS time
    FROM temp.tally_call AS t
    JOIN main.object AS o ON o.id = t.object
    GROUP BY o.name
-- by: process program
    SELECT ifnull(a.label, ''), iif(c.does = 'copy', 'write', c.does), t.count, t.bytes,
        w.call * t.count + w.byte * t.bytes
    FROM temp.tally_operation AS t
    JOIN main.name AS n ON n.id = t.operation
    JOIN call_does AS c ON c.name = n.text
    LEFT JOIN weight_of AS w ON w.operation = t.operation
    LEFT JOIN caller AS a ON a.id = t.actor
    UNION ALL
    SELECT ifnull(a.label, ''), 'read', t.count, t.bytes, 0
    FROM temp.tally_copied AS t
    LEFT JOIN caller AS a ON a.id = t.actor
),
place AS (
    SELECT ifnull(a.label, '') AS name, t.sequential, t.random
    FROM temp.tally_file_locality AS t
    LEFT JOIN caller AS a ON a.id = t.actor
),
took AS (
    SELECT ifnull(a.label, '') AS name, sum_time(t.total) AS time
    FROM temp.tally_call AS t
    LEFT JOIN caller AS a ON a.id = t.actor
    GROUP BY 1
-- by: type
    SELECT ifnull(o.type, ''), iif(c.does = 'copy', 'write', c.does), t.count, t.bytes,
        w.call * t.count + w.byte * t.bytes
    FROM temp.tally_file AS t
    JOIN main.name AS n ON n.id = t.operation
    JOIN call_does AS c ON c.name = n.text
    LEFT JOIN weight_of AS w ON w.operation = t.operation
    LEFT JOIN main.object AS o ON o.id = t.object
    UNION ALL
    SELECT ifnull(o.type, ''), 'read', t.count, t.bytes, 0
    FROM temp.tally_copied AS t
    LEFT JOIN main.object AS o ON o.id = t.object
),
place AS (
    SELECT ifnull(o.type, '') AS name, t.sequential, t.random
    FROM temp.tally_file_locality AS t
    LEFT JOIN main.object AS o ON o.id = t.object
),
took AS (
    SELECT ifnull(o.type, '') AS name, sum_time(t.total) AS time
    FROM temp.tally_call AS t
    LEFT JOIN main.object AS o ON o.id = t.object
    GROUP BY 1
-- part: all
),
-- Of the rows of `item` (name, does, count, bytes) and `place` (name, sequential, random) one for each
-- name, then what is to be known.
-- include: files
, placed AS MATERIALIZED (
    SELECT name, sum(sequential) AS sequential, nullif(sum(sequential + random), 0) AS transfers
    FROM place
    GROUP BY name
)
SELECT
    counted.name,
    opens,
    reads,
    writes,
    fsyncs,
    bytes_read,
    bytes_written,
    min(bytes_read + bytes_written, 9223372036854775807) AS bytes,
    ifnull(1.0 * (bytes_read + bytes_written)
        / nullif((SELECT total(bytes_read + bytes_written) FROM counted), 0), 0.0) AS share,
    1.0 * placed.sequential / placed.transfers AS sequential_share,
    took.time,
    cost,
    cost / nullif((SELECT total(cost) FROM counted), 0.0) AS cost_share
FROM counted
LEFT JOIN placed ON placed.name = counted.name
LEFT JOIN took ON took.name = counted.name
ORDER BY bytes DESC, reads + writes DESC, counted.name
LIMIT ifnull(:rows, -1);
-- part: main
-- remark excluded
WITH
-- include: call-does
, unknown (does, count, bytes) AS (
    SELECT iif(c.does = 'copy', 'write', c.does), t.count, t.bytes
    FROM temp.tally_file AS t
    JOIN main.name AS n ON n.id = t.operation
    JOIN call_does AS c ON c.name = n.text
    LEFT JOIN main.object AS o ON o.id = t.object
    WHERE o.name IS NULL
    UNION ALL
    SELECT 'read', t.count, t.bytes
    FROM temp.tally_copied AS t
    LEFT JOIN main.object AS o ON o.id = t.object
    WHERE o.name IS NULL
)
SELECT printf('excluded, no file: %d opens, %d reads of %d bytes, %d writes of %d bytes, '
    || '%d fsyncs; shares are of the rest',
    sum(iif(does = 'open', count, 0)),
    sum(iif(does = 'read', count, 0)), sum_time(iif(does = 'read', bytes, 0)),
    sum(iif(does = 'write', count, 0)), sum_time(iif(does = 'write', bytes, 0)),
    sum(iif(does = 'fsync', count, 0)))
FROM unknown
HAVING sum(count) > 0;
-- part: all
-- include: failed-transfers
-- remark loss
-- Out of temp.tally_call.
SELECT printf('io_uring or libaio: %d calls; their reads and writes are not in the log', sum(t.calls))
FROM temp.tally_call AS t
JOIN main.name AS n ON n.id = t.operation
WHERE n.text IN ('io_uring_enter', 'io_submit')
HAVING sum(t.calls) > 0;
-- include: sequential-remark
-- include: weights-remark
