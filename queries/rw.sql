-- report: rw
-- title: Reads and writes
-- kinds: io
-- instead: files
-- tally: size letters
-- column: class text
-- column: count integer
-- column: count_share share fraction
-- column: bytes bytes bytes
-- column: bytes_share share fraction
-- key: class
-- compare: rows
-- fact: synchronous-flags rows class = readsync, writesync
-- fact: flushes rows class = flush
-- fact: reads-and-writes rows class = read, write
-- fact: sizes columns bytes bytes_share
WITH
-- include: classes
, counted AS (
    -- Where the other side of a comparison does not know which are synchronous, none is.
    SELECT class - (:unsynchronous AND class IN (io_class_number('readsync'), io_class_number('writesync')))
        AS class, sum(count) AS count, sum(bytes) AS bytes
    FROM temp.tally_size
    GROUP BY 1
)
SELECT
    class.name AS class,
    ifnull(count, 0) AS count,
    ifnull(1.0 * count / sum(count) OVER (), 0.0) AS count_share,
    ifnull(bytes, 0) AS bytes,
    ifnull(1.0 * bytes / nullif(sum(bytes) OVER (), 0), 0.0) AS bytes_share
FROM class
LEFT JOIN counted ON counted.class = class.number
ORDER BY class.place;
-- remark
SELECT printf('synchronous: %d reads and writes count as plain: the other log does not tell', sum(count))
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
-- remark
SELECT printf('no data: %d I/Os that are not flushes; counted', sum(count))
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
-- remark
SELECT printf('flushes: %d preflush, %d completions of flush requests; totals include both', own, asked)
FROM (
    SELECT
        ifnull(sum(count) FILTER (WHERE io_flag(letters, 'flush')), 0) AS own,
        ifnull(sum(count) FILTER (WHERE NOT io_flag(letters, 'flush')), 0) AS asked
    FROM temp.tally_letters
    WHERE io_class(letters) = 'flush'
)
WHERE own > 0 AND asked > 0;
