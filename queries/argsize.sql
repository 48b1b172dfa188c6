-- report: argsize
-- question: How many bytes do calls pass or transfer?
-- key: size
-- meanless: cumulative
-- compare: sizes value=count
-- part: main
-- title: Sizes of arguments
-- kinds: calls spans
-- instead: iosize
-- tally: size operation
-- part: transfer
-- title: Bytes transferred
-- kinds: calls
-- needs: size=transfer
-- tally: size call_operation
-- window: begun
-- plot: argsize
-- part: all
-- column: size int bytes - size in bytes; in doubling rows, the smallest
-- column: count int - - number of events, or of references, in the row
-- column: share share fraction - share of all
-- column: cumulative share fraction - cumulative share
WITH counted AS (
    SELECT size, sum(count) AS count FROM temp.tally_size GROUP BY size
)
SELECT
    size,
    count,
    1.0 * count / sum(count) OVER () AS share,
    1.0 * sum(count) OVER (ORDER BY size) / sum(count) OVER () AS cumulative
FROM counted
ORDER BY size;
-- remark excluded
-- part: main
SELECT 'excluded: ' || (called.count - sized.count) || ' of ' || counted(called.count, 'call{s}') || ' without a size'
FROM (SELECT sum(count) AS count FROM temp.tally_operation) AS called,
    (SELECT ifnull(sum(count), 0) AS count FROM temp.tally_size) AS sized
WHERE called.count > sized.count;
-- part: transfer
-- Only successful transfers have a size.
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
SELECT printf('excluded: %d of %s without a size; %d of %s failed%s',
    called.count - sized.count, counted(called.count, 'call{s}'),
    ifnull(failed, 0), counted(ifnull(transfers, 0), 'read{ or write|s and writes}'),
    iif(unknown > 0, ', ' || counted(unknown, '{has|have} no result in the log'), ''))
FROM called, sized
WHERE called.count > sized.count;
-- include: unpaired-calls
