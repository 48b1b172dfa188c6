-- report: files
-- page: 40
-- question: Which files are read and written, and how much?
-- options: weights
-- kinds: calls
-- needs: object=file
-- worth: opens fsyncs time bytes_read bytes_written reads writes share sequential_share
-- absent: sequential_share
-- by: process
-- title: What was read and written, by process or thread
-- tally: thread_use call_operation weights
-- key: process
-- column: process text - - the process
-- by: program
-- title: What was read and written, by program
-- tally: thread_use call_operation weights
-- key: program
-- column: program text - - the name of the process, without its number
-- by: type
-- title: What was read and written, by file type
-- tally: file_use call_operation weights
-- key: file_type
-- column: file_type text - - the type of the file, by its name
-- part: main
-- title: Files by what was read and written
-- instead: popularity --of file
-- tally: file_use call_operation weights
-- key: file
-- column: file path - - the file; none if unknown
--
-- Row per file that was opened, read, written or flushed.
-- part: all
-- column: opens int - - number of opens
-- column: reads int - - number of reads
-- column: writes int - - number of writes
-- column: fsyncs int - - number of syncs of the file
-- include: files-columns
-- column: sequential_share share fraction more share that is sequential
-- column: time duration ns less time of the calls on the file
-- column: cost real weights if weights less cost by --weights; a copy between files costs what its write costs
-- column: cost_share share fraction if weights - share of all costs
WITH
-- include: call-does
,
-- include: weight-of
,
-- Costs of events by --weights, by file or thread. Without --weights, no events are read.
spent (id, cost) AS (
    SELECT id, total(call * count + byte * bytes)
    FROM (
        SELECT
-- part: main type
            e.object AS id,
-- part: process program
            e.actor AS id,
-- part: all
            w.call, w.byte, count(*) AS count, sum_time(ifnull(e.size, 0)) AS bytes
        FROM temp.selected_event AS e
        CROSS JOIN weight_of AS w ON w.operation = e.operation
        CROSS JOIN main.name AS n ON n.id = w.operation
        CROSS JOIN call_does AS c ON c.name = n.text
        WHERE :weights IS NOT NULL
        GROUP BY 1, w.operation
    )
    GROUP BY id
),
part (id, opens, reads, writes, fsyncs, bytes_read, bytes_written, sequential, random, time, cost) AS (
    SELECT
-- part: main type
        object,
-- part: process program
        actor,
-- part: all
        opens, reads, writes, fsyncs, bytes_read, bytes_written, sequential, random, total, 0
    FROM temp.tally_file_locality
    UNION ALL
    SELECT id, 0, 0, 0, 0, 0, 0, 0, 0, NULL, cost FROM spent
),
counted AS MATERIALIZED (
    SELECT
-- part: main
        o.name,
-- part: type
        ifnull(o.type, '') AS name,
-- part: process program
        ifnull(a.label, '') AS name,
-- part: all
        sum(opens) AS opens,
        sum(reads) AS reads,
        sum(writes) AS writes,
        sum(fsyncs) AS fsyncs,
        sum_time(bytes_read) AS bytes_read,
        sum_time(bytes_written) AS bytes_written,
        sum(sequential) AS sequential,
        nullif(sum(sequential + random), 0) AS transfers,
        sum_time(time) AS time,
        total(cost) AS cost
    FROM part AS p
-- part: main
    CROSS JOIN main.object AS o ON o.id = p.id
    WHERE o.name IS NOT NULL
-- part: type
    LEFT JOIN main.object AS o ON o.id = p.id
-- part: process
    LEFT JOIN temp.process AS a ON a.id = p.id
-- part: program
    LEFT JOIN temp.program AS a ON a.id = p.id
-- part: all
    GROUP BY 1
    HAVING sum(opens + reads + writes + fsyncs) > 0
)
SELECT
    name,
    opens,
    reads,
    writes,
    fsyncs,
    bytes_read,
    bytes_written,
    min(bytes_read + bytes_written, 9223372036854775807) AS bytes,
    ifnull(1.0 * (bytes_read + bytes_written)
        / nullif((SELECT total(bytes_read + bytes_written) FROM counted), 0), 0.0) AS share,
    1.0 * sequential / transfers AS sequential_share,
    time,
    cost,
    cost / nullif((SELECT total(cost) FROM counted), 0.0) AS cost_share
FROM counted
ORDER BY bytes DESC, reads + writes DESC, name
LIMIT ifnull(:rows, -1);
-- part: main
-- remark excluded
SELECT printf('excluded, without a known file: %s, %s of %s, %s of %s, %s; shares are of the rest',
    counted(sum(t.opens), 'open{s}'), counted(sum(t.reads), 'read{s}'), counted(sum_time(t.bytes_read), 'byte{s}'),
    counted(sum(t.writes), 'write{s}'), counted(sum_time(t.bytes_written), 'byte{s}'), counted(sum(t.fsyncs), 'fsync{s}'))
FROM temp.tally_file_locality AS t
LEFT JOIN main.object AS o ON o.id = t.object
WHERE o.name IS NULL
HAVING sum(t.opens + t.reads + t.writes + t.fsyncs) > 0;
-- part: all
-- include: failed-transfers
-- remark loss
-- Uses temp.tally_call.
SELECT 'io_uring or libaio: ' || counted(sum(t.calls), 'call{s}; {its|their} reads and writes are not in the log')
FROM temp.tally_call AS t
JOIN main.name AS n ON n.id = t.operation
WHERE n.text IN ('io_uring_enter', 'io_submit')
HAVING sum(t.calls) > 0;
-- include: sequential-remark
-- include: weights-remark
