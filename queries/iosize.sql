-- report: iosize
-- question: How large are I/Os?
-- title: Sizes of I/Os
-- kinds: io
-- instead: argsize
-- tally: size
-- worth: size count share cumulative bytes_share
-- column: size int bytes - size in bytes; in doubling rows, the smallest
-- column: count int - - number of events, or of references, in the row
-- column: share share fraction - share of all
-- column: cumulative share fraction - cumulative share
-- column: bytes_share share fraction - share of all bytes
-- column: bytes_cumulative share fraction - cumulative share of the bytes
-- column: beyond int if ccdf - number of larger values
-- key: size
-- meanless: cumulative bytes_cumulative
-- compare: sizes value=count
-- fact: sizes report
WITH counted AS (
    SELECT size, sum(count) AS count, sum(bytes) AS bytes
    FROM temp.tally_size
    WHERE size > 0
    GROUP BY size
)
SELECT
    size,
    count,
    1.0 * count / sum(count) OVER () AS share,
    1.0 * sum(count) OVER (ORDER BY size) / sum(count) OVER () AS cumulative,
    ifnull(1.0 * bytes / nullif(sum(bytes) OVER (), 0), 0.0) AS bytes_share,
    ifnull(1.0 * sum(bytes) OVER (ORDER BY size) / nullif(sum(bytes) OVER (), 0), 0.0)
        AS bytes_cumulative,
    sum(count) OVER () - sum(count) OVER (ORDER BY size) AS beyond
FROM counted
ORDER BY size;
-- include: without-data
