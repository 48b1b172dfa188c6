-- report: rw
-- title: Reads and writes
-- kinds: io
-- when: share
-- tally: size
-- plot: rw-share
-- column: direction text
-- column: plain integer
-- column: sync integer
-- column: total integer
-- key: direction
-- shares: total
-- fact: synchronous-flags columns sync
-- fact: flushes rows direction = flush
-- fact: reads-and-writes rows direction = read, write
--
-- Only reads and writes are synchronous or not.
WITH
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
