-- report: rw
-- question: How much is read, how much is written?
-- title: Reads and writes of system calls
-- kinds: calls
-- after: io
-- needs: size=transfer
-- options: weights
-- tally: copied call_operation weights transfer_size?
-- window: begun
-- plot: rw
-- column: class text - - read or write, synchronous (readsync, writesync) or not, flush, or other
-- column: count int - - number of events, or of references, in the row
-- column: count_share share fraction - share of the total count
-- column: bytes bytes bytes - number of bytes
-- column: bytes_share share fraction - share of all bytes
-- column: cost real weights if weights less cost by --weights; a copy between files costs what its write costs
-- column: cost_share share fraction if weights - share of all costs
-- key: class
-- compare: rows
--
-- A copying call is a read and a write. A failed read or write counts without bytes.
WITH
-- include: call-does
, class (place, name, does) AS (
    VALUES (1, 'read', 'read'), (2, 'write', 'write'), (3, 'flush', 'fsync')
),
-- include: weight-of
,
-- include: call-directions
, counted AS (
    SELECT does, sum(count) AS count, sum_time(bytes) AS bytes FROM directed GROUP BY does
),
-- A copy's cost counts as a write.
costed AS (
    SELECT iif(c.does = 'copy', 'write', c.does) AS does, total(w.call * t.calls + w.byte * t.bytes) AS cost
    FROM temp.tally_call AS t
    JOIN weight_of AS w ON w.operation = t.operation
    JOIN main.name AS n ON n.id = t.operation
    JOIN call_does AS c ON c.name = n.text
    GROUP BY 1
)
SELECT
    class.name AS class,
    ifnull(count, 0) AS count,
    ifnull(1.0 * count / sum(count) OVER (), 0.0) AS count_share,
    ifnull(bytes, 0) AS bytes,
    ifnull(bytes / nullif(total(bytes) OVER (), 0), 0.0) AS bytes_share,
    ifnull(cost, 0.0) AS cost,
    ifnull(cost, 0.0) / nullif(total(cost) OVER (), 0.0) AS cost_share
FROM class
LEFT JOIN counted ON counted.does = class.does
LEFT JOIN costed ON costed.does = class.does
ORDER BY class.place;
-- remark
WITH
-- include: call-does
,
-- include: call-directions
SELECT 'writes per read: ' || CASE
    WHEN ifnull(sum(count) FILTER (WHERE does = 'read'), 0) = 0 THEN 'no reads'
    ELSE printf('%.2f', 1.0 * ifnull(sum(count) FILTER (WHERE does = 'write'), 0)
        / sum(count) FILTER (WHERE does = 'read')) END
FROM directed;
-- remark
SELECT printf('regular files: %s, %s',
    counted(sum(iif(call_does(n.text) = 'read', t.calls, 0)), 'read{s}'),
    counted(sum(iif(call_does(n.text) = 'read', 0, t.calls)), 'write{s}'))
FROM temp.tally_transfer_size AS t
JOIN main.name AS n ON n.id = t.operation
HAVING sum(t.calls) > 0;
-- include: failed-transfers
-- remark
SELECT 'copies (such as sendfile): ' || counted(sum(count), 'call{s}, each counted as a read of one file and a write of the other')
FROM temp.tally_copied
HAVING sum(count) > 0;
-- include: weights-remark
