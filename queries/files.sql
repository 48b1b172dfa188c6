-- report: files
-- title: Files by what was read and written
-- kinds: calls
-- instead: popularity --of file
-- needs: object=file
-- tally: file copied call file_locality
-- window: begun
-- column: file text
-- key: file
-- include: files-calls-columns
--
-- A row for each file that was opened, read, written or flushed.
WITH
-- include: call-does
, item (name, does, count, bytes) AS (
    SELECT o.name, iif(c.does = 'copy', 'write', c.does), t.count, t.bytes
    FROM temp.tally_file AS t
    JOIN main.name AS n ON n.id = t.operation
    JOIN call_does AS c ON c.name = n.text
    JOIN main.object AS o ON o.id = t.object
    WHERE o.name IS NOT NULL
    UNION ALL
    SELECT o.name, 'read', t.count, t.bytes
    FROM temp.tally_copied AS t
    JOIN main.object AS o ON o.id = t.object
    WHERE o.name IS NOT NULL
),
place AS (
    SELECT o.name, t.sequential, t.random
    FROM temp.tally_file_locality AS t
    JOIN main.object AS o ON o.id = t.object
),
-- include: files-calls
-- remark
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
-- include: failed-transfers
-- include: unseen-remark
-- include: sequential-remark
