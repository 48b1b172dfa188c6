-- remark
-- What has a size is a read or write that did not fail, out of temp.tally_operation and tally_size.
WITH
-- include: call-does
, transfer(count) AS (
    SELECT sum(t.count)
    FROM temp.tally_operation AS t
    JOIN main.name AS n ON n.id = t.operation
    JOIN call_does AS c ON c.name = n.text
    WHERE c.does IN ('read', 'write')
),
sized(count) AS (
    SELECT ifnull(sum(count), 0) FROM temp.tally_size
)
SELECT printf('%d of %d reads and writes failed: they count, and have no bytes',
    transfer.count - sized.count, transfer.count)
FROM transfer, sized
WHERE transfer.count > sized.count;
