-- report: files
-- title: Files by what was read and written
-- kinds: calls
-- needs: object=file
-- tally: file call file_locality
-- column: file text
-- key: file
-- include: files-calls-columns
--
-- A row for each file that was opened, read, written or flushed.
WITH
-- include: call-does
, item AS (
    SELECT o.name, c.does, t.count, t.bytes
    FROM temp.tally_file AS t
    JOIN main.name AS n ON n.id = t.operation
    JOIN call_does AS c ON c.name = n.text
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
SELECT printf('left out, for they have no file: %d opens, %d reads of %d bytes, %d writes of %d bytes, '
    || '%d fsyncs; shares are of the rest',
    sum(iif(c.does = 'open', t.count, 0)),
    sum(iif(c.does = 'read', t.count, 0)), sum_time(iif(c.does = 'read', t.bytes, 0)),
    sum(iif(c.does = 'write', t.count, 0)), sum_time(iif(c.does = 'write', t.bytes, 0)),
    sum(iif(c.does = 'fsync', t.count, 0)))
FROM temp.tally_file AS t
JOIN main.name AS n ON n.id = t.operation
JOIN call_does AS c ON c.name = n.text
LEFT JOIN main.object AS o ON o.id = t.object
WHERE o.name IS NULL
HAVING sum(t.count) > 0;
-- include: failed-transfers
-- include: sequential-remark
