-- column: size integer bytes
-- column: count integer
-- column: share share fraction
-- column: cumulative share fraction
-- key: size
-- meanless: cumulative
-- compare: sizes value=count
WITH counted AS (
    SELECT size, sum(count) AS count FROM temp.tally_size GROUP BY size
)
SELECT
    size,
    count,
    1.0 * count / sum(count) OVER () AS share,
    1.0 * sum(count) OVER (ORDER BY size) / sum(count) OVER () AS cumulative
FROM counted
ORDER BY size;
