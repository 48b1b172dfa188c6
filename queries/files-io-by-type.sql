-- report: files
-- title: What was read and written, by file type
-- kinds: io
-- when: by = type
-- tally: file_type
-- column: file_type text
-- key: file_type
-- include: files-io-columns
-- fact: file-types report
WITH
-- include: class-does
, item AS (
    SELECT t.file_type AS name, c.does, t.count, t.bytes
    FROM temp.tally_file_type AS t
    JOIN class_does AS c ON c.class = t.class
),
-- include: files
SELECT
    name,
    reads,
    writes,
    flushes,
    -- include: files-bytes
-- remark
SELECT printf('excluded: %d I/Os that are neither reads, writes nor flushes', sum(count))
FROM temp.tally_file_type
WHERE class = io_class_number('other')
HAVING sum(count) > 0;
