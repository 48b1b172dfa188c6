-- Reads, writes and flushes (does, count, bytes) out of temp.tally_operation and temp.tally_copied, with
-- `call_does`. A call that copies is a write here, and a read by what tally_copied has.
directed (does, count, bytes) AS (
    SELECT iif(c.does = 'copy', 'write', c.does), t.count, t.bytes
    FROM temp.tally_operation AS t
    JOIN main.name AS n ON n.id = t.operation
    JOIN call_does AS c ON c.name = n.text
    WHERE c.does <> 'open'
    UNION ALL
    SELECT 'read', t.count, t.bytes FROM temp.tally_copied AS t
)
