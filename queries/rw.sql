-- report: rw
-- title: Reads and writes
-- kinds: io
-- tally: size
-- column: class text
-- column: count integer
-- column: count_share share fraction
-- column: bytes bytes bytes
-- column: bytes_share share fraction
WITH
-- include: classes
, counted AS (
    SELECT class, sum(count) AS count, sum(bytes) AS bytes FROM temp.tally_size GROUP BY class
)
SELECT
    class.name AS class,
    ifnull(count, 0) AS count,
    ifnull(1.0 * count / sum(count) OVER (), 0.0) AS count_share,
    ifnull(bytes, 0) AS bytes,
    ifnull(1.0 * bytes / nullif(sum(bytes) OVER (), 0), 0.0) AS bytes_share
FROM class
LEFT JOIN counted ON counted.class = class.number
ORDER BY class.number;
-- remark
WITH
-- include: directions
SELECT 'writes per read: ' || CASE
    WHEN ifnull(sum(count) FILTER (WHERE is_read), 0) = 0 THEN 'no reads'
    ELSE printf('%.2f',
        1.0 * ifnull(sum(count) FILTER (WHERE is_write), 0) / sum(count) FILTER (WHERE is_read)) END
FROM sized;
-- remark
SELECT printf('%d I/Os of zero length are counted', sum(count))
FROM temp.tally_size
WHERE size = 0
HAVING sum(count) > 0;
