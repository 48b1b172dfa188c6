-- report: process
-- title: I/Os by process and pid
-- kinds: io
-- when: by-pid
-- tally: actor
-- plot: classes
-- column: process text
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
        process AS process,
        ifnull(sum(count) FILTER (WHERE class = 0), 0) AS read,
        ifnull(sum(count) FILTER (WHERE class = 1), 0) AS readsync,
        ifnull(sum(count) FILTER (WHERE class = 2), 0) AS write,
        ifnull(sum(count) FILTER (WHERE class = 3), 0) AS writesync,
        ifnull(sum(count) FILTER (WHERE class = 4), 0) AS other,
        sum(count) AS total,
        sum(bytes) AS bytes
    FROM (
        SELECT ifnull(a.name, '') || iif(a.pid IS NULL, '', ' (' || a.pid || ')') AS process,
            t.class, t.count, t.bytes
        FROM temp.tally_actor AS t
        LEFT JOIN main.actor AS a ON a.id = t.actor
    )
    GROUP BY 1
)
SELECT
    process, read, readsync, write, writesync, other, total,
    1.0 * total / sum(total) OVER () AS share,
    bytes,
    ifnull(1.0 * bytes / nullif(sum(bytes) OVER (), 0), 0.0) AS bytes_share
FROM counted
ORDER BY total DESC, process;
