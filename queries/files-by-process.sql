-- report: files
-- title: What was read and written, by process or thread
-- kinds: calls
-- needs: object=file
-- when: by = process
-- tally: operation size
-- column: process text
-- key: process
-- include: files-calls-columns
WITH
-- include: call-does
, item AS (
    SELECT ifnull(a.name, '') AS name, c.does, t.count, t.bytes
    FROM temp.tally_operation AS t
    JOIN main.name AS n ON n.id = t.operation
    JOIN call_does AS c ON c.name = n.text
    LEFT JOIN main.actor AS a ON a.id = t.actor
),
-- include: files
SELECT
    name,
    opens,
    reads,
    writes,
    fsyncs,
    -- include: files-bytes
-- include: failed-transfers
