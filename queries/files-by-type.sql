-- report: files
-- title: What was read and written, by file type
-- kinds: calls
-- needs: object=file
-- when: by = type
-- tally: file copied call file_locality
-- window: begun
-- column: file_type text
-- key: file_type
-- include: files-calls-columns
WITH
-- include: call-does
, item (name, does, count, bytes) AS (
    SELECT ifnull(o.type, ''), iif(c.does = 'copy', 'write', c.does), t.count, t.bytes
    FROM temp.tally_file AS t
    JOIN main.name AS n ON n.id = t.operation
    JOIN call_does AS c ON c.name = n.text
    LEFT JOIN main.object AS o ON o.id = t.object
    UNION ALL
    SELECT ifnull(o.type, ''), 'read', t.count, t.bytes
    FROM temp.tally_copied AS t
    LEFT JOIN main.object AS o ON o.id = t.object
),
place AS (
    SELECT ifnull(o.type, '') AS name, t.sequential, t.random
    FROM temp.tally_file_locality AS t
    LEFT JOIN main.object AS o ON o.id = t.object
),
-- include: files-calls
-- include: failed-transfers
-- include: unseen-remark
-- include: sequential-remark
