-- report: filetype
-- title: I/Os by file type
-- kinds: io
-- tally: block
-- plot: classes
-- column: file_type text
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
        file_type AS file_type,
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
    file_type, read, readsync, write, writesync, other, total,
    1.0 * total / sum(total) OVER () AS share,
    bytes,
    ifnull(1.0 * bytes / nullif(sum(bytes) OVER (), 0), 0.0) AS bytes_share
FROM counted
ORDER BY total DESC, file_type;
