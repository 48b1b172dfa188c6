-- report: files
-- page: 40
-- question: Which files are read and written, and how much?
-- options: weights
-- kinds: io
-- fact: flushes columns flushes
-- fact: reads-and-writes report
-- worth: reads writes flushes bytes_read bytes_written share
-- by: process
-- title: What was read and written, by process
-- tally: process origin weights
-- key: process
-- fact: processes report
-- column: process text - - the process
-- by: type
-- title: What was read and written, by file type
-- tally: file_type weights
-- key: file_type
-- fact: file-types report
-- column: file_type text - - the type of the file, by its name
-- part: io
-- title: Files by what was read and written
-- needs: object=file
-- tally: file weights
-- key: file
-- fact: files report
-- column: file path - - the file; none if unknown
--
-- Row per file that was read, written or flushed.
-- part: all
-- column: reads int - - number of reads
-- column: writes int - - number of writes
-- column: flushes int - - flushes of the device's cache
-- include: files-columns
-- column: cost real weights if weights less cost by --weights; a copy between files costs what its write costs
-- column: cost_share share fraction if weights - share of all costs
WITH
-- include: class-does
,
-- include: class-weight
, item AS (
-- part: io
    SELECT o.name, c.does, t.count, t.bytes, w.call * t.count + w.byte * t.bytes AS cost
    FROM temp.tally_file AS t
    JOIN class_does AS c ON c.class = t.class
    LEFT JOIN class_weight AS w ON w.class = t.class
    JOIN main.object AS o ON o.id = t.object
    WHERE o.name IS NOT NULL
-- by: process
    SELECT t.process AS name, c.does, t.count, t.bytes, w.call * t.count + w.byte * t.bytes AS cost
    FROM temp.tally_process AS t
    JOIN class_does AS c ON c.class = t.class
    LEFT JOIN class_weight AS w ON w.class = t.class
-- by: type
    SELECT t.file_type AS name, c.does, t.count, t.bytes, w.call * t.count + w.byte * t.bytes AS cost
    FROM temp.tally_file_type AS t
    JOIN class_does AS c ON c.class = t.class
    LEFT JOIN class_weight AS w ON w.class = t.class
-- part: all
),
counted AS (
    SELECT
        name,
        sum(iif(does = 'read', count, 0)) AS reads,
        sum(iif(does = 'write', count, 0)) AS writes,
        sum(iif(does = 'flush', count, 0)) AS flushes,
        sum_time(iif(does = 'read', bytes, 0)) AS bytes_read,
        sum_time(iif(does = 'write', bytes, 0)) AS bytes_written,
        total(cost) AS cost
    FROM item
    GROUP BY name
)
SELECT
    name,
    reads,
    writes,
    flushes,
    -- Result columns, from `counted`, and their order.
    bytes_read,
    bytes_written,
    min(bytes_read + bytes_written, 9223372036854775807) AS bytes,
    ifnull(1.0 * (bytes_read + bytes_written)
        / nullif((SELECT total(bytes_read + bytes_written) FROM counted), 0), 0.0) AS share,
    cost,
    cost / nullif((SELECT total(cost) FROM counted), 0.0) AS cost_share
FROM counted
ORDER BY bytes DESC, reads + writes DESC, name
LIMIT ifnull(:rows, -1);
-- remark excluded
-- part: io
WITH
-- include: class-does
SELECT printf('excluded, without a known file: %s of %s, %s of %s, %s; shares are of the rest',
    counted(sum(iif(c.does = 'read', t.count, 0)), 'read{s}'),
    counted(sum_time(iif(c.does = 'read', t.bytes, 0)), 'byte{s}'),
    counted(sum(iif(c.does = 'write', t.count, 0)), 'write{s}'),
    counted(sum_time(iif(c.does = 'write', t.bytes, 0)), 'byte{s}'),
    counted(sum(iif(c.does = 'flush', t.count, 0)), 'flush{|es}'))
FROM temp.tally_file AS t
JOIN class_does AS c ON c.class = t.class
LEFT JOIN main.object AS o ON o.id = t.object
WHERE o.name IS NULL
HAVING sum(t.count) > 0;
-- remark excluded
SELECT 'excluded: ' || counted(sum(count), 'I/O{ that is neither read, write nor flush|s that are neither reads, writes nor flushes}')
FROM temp.tally_file
WHERE class = io_class_number('other')
HAVING sum(count) > 0;
-- by: process
SELECT 'excluded: ' || counted(sum(count), 'I/O{ that is neither read, write nor flush|s that are neither reads, writes nor flushes}')
FROM temp.tally_process
WHERE class = io_class_number('other')
HAVING sum(count) > 0;
-- include: origin-remark
-- by: type
SELECT 'excluded: ' || counted(sum(count), 'I/O{ that is neither read, write nor flush|s that are neither reads, writes nor flushes}')
FROM temp.tally_file_type
WHERE class = io_class_number('other')
HAVING sum(count) > 0;
-- part: all
-- include: weights-remark
