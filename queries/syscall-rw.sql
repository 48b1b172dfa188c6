-- report: rw
-- question: How much is read, how much is written?
-- title: Reads and writes of system calls
-- kinds: calls
-- after: io
-- needs: size=transfer
-- tally: operation copied call_operation
-- window: begun
-- plot: rw
-- column: class text - - read or write, synchronous (readsync, writesync) or not, flush, or other
-- column: count int - - how many of what the row is of
-- column: count_share share fraction - share of all by number
-- column: bytes bytes bytes - how many bytes
-- column: bytes_share share fraction - share of all bytes
-- key: class
-- compare: rows
--
-- A call that copies is a read and a write. A read or write that failed counts, and has no bytes.
WITH
-- include: call-does
, class (place, name, does) AS (
    VALUES (1, 'read', 'read'), (2, 'write', 'write'), (3, 'flush', 'fsync')
),
-- include: call-directions
, counted AS (
    SELECT does, sum(count) AS count, sum_time(bytes) AS bytes FROM directed GROUP BY does
)
SELECT
    class.name AS class,
    ifnull(count, 0) AS count,
    ifnull(1.0 * count / sum(count) OVER (), 0.0) AS count_share,
    ifnull(bytes, 0) AS bytes,
    ifnull(bytes / nullif(total(bytes) OVER (), 0), 0.0) AS bytes_share
FROM class
LEFT JOIN counted ON counted.does = class.does
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
-- include: failed-transfers
-- remark
SELECT printf('copies: %d calls, each a read of one file and a write of the other', sum(count))
FROM temp.tally_copied
HAVING sum(count) > 0;
