-- report: argsize
-- title: Bytes transferred
-- kinds: calls
-- needs: size=transfer
-- tally: size call
-- window: begun
-- plot: argsize
-- include: sizes
-- remark
-- What has a size is a transfer that did not fail.
WITH
-- include: call-does
, called AS (
    SELECT
        sum(t.calls) AS count,
        sum(t.calls) FILTER (WHERE c.does IN ('read', 'write', 'copy')) AS transfers,
        sum(t.calls) FILTER (WHERE c.does IN ('read', 'write', 'copy') AND t.failed) AS failed,
        sum(t.calls) FILTER (WHERE c.does IN ('read', 'write', 'copy') AND NOT t.returned) AS unknown
    FROM temp.tally_call AS t
    JOIN main.name AS n ON n.id = t.operation
    LEFT JOIN call_does AS c ON c.name = n.text
),
sized(count) AS (
    SELECT ifnull(sum(count), 0) FROM temp.tally_size
)
SELECT printf('excluded: %d of %d calls without a size; failed: %d reads and writes%s, of %d',
    called.count - sized.count, called.count, ifnull(failed, 0),
    iif(unknown > 0, printf(' and %d without a result in the log', unknown), ''), ifnull(transfers, 0))
FROM called, sized
WHERE called.count > sized.count;
-- include: unpaired-calls
