-- report: files
-- title: Files by what was read and written
-- kinds: io
-- needs: object=file
-- tally: file
-- column: file text
-- key: file
-- include: files-io-columns
-- fact: files report
--
-- A row for each file that was read, written or flushed.
WITH
-- include: class-does
, item AS (
    SELECT o.name, c.does, t.count, t.bytes
    FROM temp.tally_file AS t
    JOIN class_does AS c ON c.class = t.class
    JOIN main.object AS o ON o.id = t.object
    WHERE o.name IS NOT NULL
),
-- include: files
SELECT
    name,
    reads,
    writes,
    flushes,
    -- include: files-bytes
-- remark
WITH
-- include: class-does
SELECT printf('excluded, no file: %d reads of %d bytes, %d writes of %d bytes, %d flushes; '
    || 'shares are of the rest',
    sum(iif(c.does = 'read', t.count, 0)), sum_time(iif(c.does = 'read', t.bytes, 0)),
    sum(iif(c.does = 'write', t.count, 0)), sum_time(iif(c.does = 'write', t.bytes, 0)),
    sum(iif(c.does = 'flush', t.count, 0)))
FROM temp.tally_file AS t
JOIN class_does AS c ON c.class = t.class
LEFT JOIN main.object AS o ON o.id = t.object
WHERE o.name IS NULL
HAVING sum(t.count) > 0;
-- remark
SELECT printf('excluded: %d I/Os that are neither reads, writes nor flushes', sum(count))
FROM temp.tally_file
WHERE class = io_class_number('other')
HAVING sum(count) > 0;
