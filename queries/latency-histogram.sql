-- report: latency
-- title: Histogram of the time from issue to completion
-- kinds: io
-- when: histogram
-- tally: latency
-- plot: none
-- column: from duration ns
-- column: to duration ns
-- column: read integer
-- column: readsync integer
-- column: write integer
-- column: writesync integer
-- column: other integer
-- column: total integer
--
-- Latencies from `from` (inclusive) to `to` (exclusive), which double from row to row; all rows between
-- the first and the last that hold any.
WITH RECURSIVE counted AS (
    SELECT
        bits,
        sum(count) FILTER (WHERE class = 0) AS read,
        sum(count) FILTER (WHERE class = 1) AS readsync,
        sum(count) FILTER (WHERE class = 2) AS write,
        sum(count) FILTER (WHERE class = 3) AS writesync,
        sum(count) FILTER (WHERE class = 4) AS other,
        sum(count) AS total
    FROM temp.tally_latency
    WHERE bits IS NOT NULL
    GROUP BY 1
),
bucket(bits) AS (
    SELECT min(bits) FROM counted HAVING count(*) > 0
    UNION ALL
    SELECT bits + 1 FROM bucket WHERE bits < (SELECT max(bits) FROM counted)
)
SELECT
    CASE bucket.bits WHEN 0 THEN 0 ELSE 1 << (bucket.bits - 1) END AS "from",
    1 << bucket.bits AS "to",
    ifnull(c.read, 0) AS read,
    ifnull(c.readsync, 0) AS readsync,
    ifnull(c.write, 0) AS write,
    ifnull(c.writesync, 0) AS writesync,
    ifnull(c.other, 0) AS other,
    ifnull(c.total, 0) AS total
FROM bucket
LEFT JOIN counted AS c ON c.bits = bucket.bits
ORDER BY bucket.bits;
