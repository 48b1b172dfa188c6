-- report: partition
-- title: I/Os by partition
-- kinds: io
-- tally: block
-- plot: classes
-- column: partition text
-- column: read integer
-- column: readsync integer
-- column: write integer
-- column: writesync integer
-- column: other integer
-- column: total integer
-- column: share share fraction
-- column: bytes bytes bytes
-- column: bytes_share share fraction
WITH counted AS (
    SELECT
        partition AS partition,
        ifnull(sum(count) FILTER (WHERE class = 0), 0) AS read,
        ifnull(sum(count) FILTER (WHERE class = 1), 0) AS readsync,
        ifnull(sum(count) FILTER (WHERE class = 2), 0) AS write,
        ifnull(sum(count) FILTER (WHERE class = 3), 0) AS writesync,
        ifnull(sum(count) FILTER (WHERE class = 4), 0) AS other,
        sum(count) AS total,
        sum(bytes) AS bytes
    FROM temp.tally_block
    GROUP BY 1
)
SELECT
    partition, read, readsync, write, writesync, other, total,
    1.0 * total / sum(total) OVER () AS share,
    bytes,
    ifnull(1.0 * bytes / nullif(sum(bytes) OVER (), 0), 0.0) AS bytes_share
FROM counted
ORDER BY total DESC, partition;
-- remark
SELECT 'no partitions are configured: every I/O is unmapped'
WHERE NOT EXISTS (
    SELECT 1 FROM temp.selection AS s CROSS JOIN main.partition AS p ON p.trace = s.trace
);
