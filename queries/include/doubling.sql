-- column: from duration ns - lower bound, inclusive
-- column: to duration ns - upper bound, exclusive
-- column: count int - - number of events, or of references, in the row
-- column: share share fraction - share of all
-- column: cumulative share fraction - cumulative share
-- compare: counts key=from value=count
-- Row per duration class from `from` (inclusive) to `to` (exclusive). Bounds double from row to
-- row. Includes empty classes between the first and the last.
WITH RECURSIVE bucket(bits) AS (
    SELECT min(bits) FROM temp.tally_latency HAVING count(bits) > 0
    UNION ALL
    SELECT bits + 1 FROM bucket WHERE bits < (SELECT max(bits) FROM temp.tally_latency)
),
counted AS (
    SELECT bucket.bits, ifnull(sum(t.count), 0) AS count
    FROM bucket
    LEFT JOIN temp.tally_latency AS t ON t.bits = bucket.bits
    GROUP BY bucket.bits
)
SELECT
    CASE bits WHEN 0 THEN 0 ELSE 1 << (bits - 1) END AS "from",
    1 << bits AS "to",
    count,
    1.0 * count / sum(count) OVER () AS share,
    1.0 * sum(count) OVER (ORDER BY bits) / sum(count) OVER () AS cumulative
FROM counted
ORDER BY bits;
