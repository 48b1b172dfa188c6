-- Of the rows of `item` (name, class, count, bytes) one for each name, with the columns of
-- by-class-columns.sql behind the name.
counted AS (
    SELECT
        name,
        sum(bytes) AS bytes,
        -- include: class-counts
    FROM item
    GROUP BY name
)
SELECT
    name, read, readsync, write, writesync, other, total,
    1.0 * total / sum(total) OVER () AS share,
    bytes,
    ifnull(1.0 * bytes / nullif(sum(bytes) OVER (), 0), 0.0) AS bytes_share
FROM counted
ORDER BY total DESC, name;
