-- Reads, writes and flushes (does, count, bytes) from temp.tally_call and temp.tally_copied;
-- needs `call_does`. A copying call is a write here; its read comes from tally_copied.
directed (does, count, bytes) AS (
    SELECT iif(c.does = 'copy', 'write', c.does), t.calls, t.bytes
    FROM temp.tally_call AS t
    JOIN main.name AS n ON n.id = t.operation
    JOIN call_does AS c ON c.name = n.text
    WHERE c.does <> 'open'
    UNION ALL
    SELECT 'read', t.count, t.bytes FROM temp.tally_copied AS t
)
