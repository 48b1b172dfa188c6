-- report: files
-- title: What was read and written, by process or thread
-- kinds: calls
-- needs: object=file
-- when: by = process
-- tally: operation copied call file_locality
-- window: begun
-- column: process text
-- key: process
-- include: files-calls-columns
WITH
-- include: call-does
, item (name, does, count, bytes) AS (
    SELECT ifnull(a.label, ''), iif(c.does = 'copy', 'write', c.does), t.count, t.bytes
    FROM temp.tally_operation AS t
    JOIN main.name AS n ON n.id = t.operation
    JOIN call_does AS c ON c.name = n.text
    LEFT JOIN temp.process AS a ON a.id = t.actor
    UNION ALL
    SELECT ifnull(a.label, ''), 'read', t.count, t.bytes
    FROM temp.tally_copied AS t
    LEFT JOIN temp.process AS a ON a.id = t.actor
),
place AS (
    SELECT ifnull(a.label, '') AS name, t.sequential, t.random
    FROM temp.tally_file_locality AS t
    LEFT JOIN temp.process AS a ON a.id = t.actor
),
-- include: files-calls
-- include: failed-transfers
-- include: unseen-remark
-- include: sequential-remark
