-- remark
-- Out of temp.tally_call.
WITH
-- include: call-does
SELECT printf('%d of %d reads and writes failed: they count, and have no bytes',
    sum(iif(t.failed OR NOT t.returned, t.calls, 0)), sum(t.calls))
FROM temp.tally_call AS t
JOIN main.name AS n ON n.id = t.operation
JOIN call_does AS c ON c.name = n.text
WHERE c.does IN ('read', 'write', 'copy')
HAVING sum(iif(t.failed OR NOT t.returned, t.calls, 0)) > 0;
