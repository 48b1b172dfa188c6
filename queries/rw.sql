-- report: rw
-- page: 54
-- question: How much is read, how much is written?
-- title: Reads and writes
-- kinds: io
-- part: share
-- when: share
-- tally: size
-- plot: rw-share
-- key: direction
-- shares: total
-- fact: synchronous-flags columns sync
-- fact: flushes rows direction = flush
-- fact: reads-and-writes rows direction = read, write
-- column: direction text - - reads or writes
-- column: plain int - - asynchronous reads or writes: no program waits for them
-- column: sync int - - synchronous reads or writes: a program waits for them
-- column: total int - - total
--
-- Only reads and writes can be synchronous.
-- part: main
-- instead: files
-- options: weights
-- tally: size letters weights
-- key: class
-- compare: rows
-- fact: synchronous-flags rows class = readsync, writesync
-- fact: flushes rows class = flush
-- fact: reads-and-writes rows class = read, write
-- fact: sizes columns bytes bytes_share
-- column: class text - - read or write, synchronous (readsync, writesync) or not, flush, or other
-- column: count int - - number of events, or of references, in the row
-- column: count_share share fraction - share of the total count
-- column: bytes bytes bytes - number of bytes
-- column: bytes_share share fraction - share of all bytes
-- column: cost real weights if weights less cost by --weights; a copy between files costs what its write costs
-- column: cost_share share fraction if weights - share of all costs
-- part: all
WITH
-- part: main
-- include: classes
,
-- include: class-weight
, counted AS (
    -- In comparisons, if the other side does not know which I/Os are synchronous, none are.
    SELECT class - (:unsynchronous AND class IN (io_class_number('readsync'), io_class_number('writesync')))
        AS class, sum(count) AS count, sum(bytes) AS bytes,
        total((SELECT w.call * t.count + w.byte * t.bytes FROM class_weight AS w WHERE w.class = t.class))
            AS cost
    FROM temp.tally_size AS t
    GROUP BY 1
)
SELECT
    class.name AS class,
    ifnull(count, 0) AS count,
    ifnull(1.0 * count / sum(count) OVER (), 0.0) AS count_share,
    ifnull(bytes, 0) AS bytes,
    ifnull(1.0 * bytes / nullif(sum(bytes) OVER (), 0), 0.0) AS bytes_share,
    ifnull(cost, 0.0) AS cost,
    ifnull(cost, 0.0) / nullif(total(cost) OVER (), 0.0) AS cost_share
FROM class
LEFT JOIN counted ON counted.class = class.number
ORDER BY class.place;
-- remark
SELECT 'synchronous: ' || counted(sum(count), 'read{ or write counts|s and writes count} as plain: the other log does not mark synchronous I/O')
FROM temp.tally_size
WHERE :unsynchronous AND class IN (io_class_number('readsync'), io_class_number('writesync'))
HAVING sum(count) > 0;
-- remark
WITH
-- include: directions
SELECT 'writes per read: ' || CASE
    WHEN ifnull(sum(count) FILTER (WHERE is_read), 0) = 0 THEN 'no reads'
    ELSE printf('%.2f',
        1.0 * ifnull(sum(count) FILTER (WHERE is_write), 0) / sum(count) FILTER (WHERE is_read)) END
FROM sized;
-- remark excluded
SELECT counted(sum(count), 'I/O{ without data that is not a flush|s without data that are not flushes}: counted, with 0 bytes')
FROM temp.tally_size
WHERE size = 0 AND class <> io_class_number('flush')
HAVING sum(count) > 0;
-- remark
SELECT printf('writes with flush, FUA or barrier: %d', sum(count))
FROM temp.tally_letters
WHERE io_class(letters) IN ('write', 'writesync')
    AND (io_flag(letters, 'flush') OR io_flag(letters, 'fua') OR io_flag(letters, 'barrier')
        OR io_flag(letters, 'flush asked'))
HAVING sum(count) > 0;
-- remark definition
SELECT printf('flushes: %d preflush, %s; totals include both', own, counted(asked, 'completion{s} of {a flush request|flush requests}'))
FROM (
    SELECT
        ifnull(sum(count) FILTER (WHERE io_flag(letters, 'flush')), 0) AS own,
        ifnull(sum(count) FILTER (WHERE NOT io_flag(letters, 'flush')), 0) AS asked
    FROM temp.tally_letters
    WHERE io_class(letters) = 'flush'
)
WHERE own > 0 AND asked > 0;
-- include: weights-remark
-- part: share
-- include: directions
, direction(place, name) AS (VALUES (1, 'read'), (2, 'write'), (3, 'flush'), (4, 'other')),
counted AS (
    SELECT
        CASE WHEN is_read THEN 'read' WHEN is_write THEN 'write'
            WHEN is_flush THEN 'flush' ELSE 'other' END AS name,
        class IN (io_class_number('readsync'), io_class_number('writesync')) AS is_sync,
        count
    FROM sized
)
SELECT
    d.name,
    iif(d.place <= 2, ifnull(sum(count) FILTER (WHERE NOT is_sync), 0), NULL) AS plain,
    iif(d.place <= 2, ifnull(sum(count) FILTER (WHERE is_sync), 0), NULL) AS sync,
    ifnull(sum(count), 0) AS total
FROM direction AS d
LEFT JOIN counted AS c ON c.name = d.name
GROUP BY d.place
ORDER BY d.place;
