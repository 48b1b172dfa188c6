-- Of the rows of `item` (name, does, count, bytes, cost) one for each name, in `counted`: how often what was
-- done, and the bytes.
counted AS (
    SELECT
        name,
        sum(iif(does = 'open', count, 0)) AS opens,
        sum(iif(does = 'read', count, 0)) AS reads,
        sum(iif(does = 'write', count, 0)) AS writes,
        sum(iif(does = 'fsync', count, 0)) AS fsyncs,
        sum(iif(does = 'flush', count, 0)) AS flushes,
        sum_time(iif(does = 'read', bytes, 0)) AS bytes_read,
        sum_time(iif(does = 'write', bytes, 0)) AS bytes_written,
        total(cost) AS cost
    FROM item
    GROUP BY name
)
