-- Of the rows of `item` (name, does, count, bytes) and `place` (name, sequential, random) one for each
-- name, with the columns of files-calls-columns.sql behind it; then what is to be known.
-- include: files
, placed AS MATERIALIZED (
    SELECT name, sum(sequential) AS sequential, nullif(sum(sequential + random), 0) AS transfers
    FROM place
    GROUP BY name
)
SELECT
    counted.name,
    opens,
    reads,
    writes,
    fsyncs,
    bytes_read,
    bytes_written,
    min(bytes_read + bytes_written, 9223372036854775807) AS bytes,
    ifnull(1.0 * (bytes_read + bytes_written)
        / nullif((SELECT total(bytes_read + bytes_written) FROM counted), 0), 0.0) AS share,
    1.0 * placed.sequential / placed.transfers AS sequential_share
FROM counted
LEFT JOIN placed ON placed.name = counted.name
ORDER BY bytes DESC, reads + writes DESC, counted.name
LIMIT ifnull(:rows, -1);
