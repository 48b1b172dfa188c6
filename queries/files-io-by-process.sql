-- report: files
-- title: What was read and written, by process
-- kinds: io
-- when: by = process
-- tally: process origin
-- column: process text
-- key: process
-- include: files-io-columns
-- fact: processes report
WITH
-- include: class-does
, item AS (
    SELECT t.process AS name, c.does, t.count, t.bytes
    FROM temp.tally_process AS t
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
FROM temp.tally_process
WHERE class = io_class_number('other')
HAVING sum(count) > 0;
-- include: origin-remark
