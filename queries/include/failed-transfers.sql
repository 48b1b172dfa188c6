-- remark excluded
-- Uses temp.tally_call. A call without a return in the log is not counted as failed: its result is
-- unknown.
WITH
-- include: call-does
, transfers AS (
    SELECT sum(t.calls) AS calls, sum(iif(t.failed, t.calls, 0)) AS failed,
        sum(iif(t.returned, 0, t.calls)) AS unknown
    FROM temp.tally_call AS t
    JOIN main.name AS n ON n.id = t.operation
    JOIN call_does AS c ON c.name = n.text
    WHERE c.does IN ('read', 'write', 'copy')
)
SELECT CASE
    WHEN unknown = 0 THEN printf('failed: %d of %s, included in the counts with 0 bytes', failed, counted(calls, 'read{ or write|s and writes}'))
    WHEN failed = 0 THEN printf('no result in the log: %d of %s, included in the counts with 0 bytes',
        unknown, counted(calls, 'read{ or write|s and writes}'))
    ELSE printf('failed: %d of %s, %s no result in the log; included in the counts with 0 bytes',
        failed, counted(calls, 'read{ or write|s and writes}'), counted(unknown, '{has|have}'))
    END
FROM transfers
WHERE failed + unknown > 0;
-- include: unpaired-calls
