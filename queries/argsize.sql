-- report: argsize
-- title: Sizes of arguments
-- kinds: calls spans
-- tally: size operation
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
-- remark
-- Of MobiGen, what has a size is a read or write that did not fail.
WITH
-- include: call-does
, called AS (
    SELECT
        sum(t.count) AS count,
        sum(t.count) FILTER (WHERE c.does IN ('read', 'write')) AS transfers
    FROM temp.tally_operation AS t
    JOIN main.name AS n ON n.id = t.operation
    LEFT JOIN call_does AS c ON c.name = n.text
),
sized(count) AS (
    SELECT ifnull(sum(count), 0) FROM temp.tally_size
),
mobigen(yes) AS (
    SELECT min(t.format = 'mobigen') FROM temp.selection AS s
    CROSS JOIN main.trace AS t ON t.id = s.trace
)
SELECT
    (called.count - sized.count) || ' of ' || called.count || ' calls have no size and are left out'
    || iif(mobigen.yes, ', of them ' || (ifnull(transfers, 0) - sized.count)
        || ' reads and writes that failed, of ' || ifnull(transfers, 0), '')
FROM called, sized, mobigen
WHERE called.count > sized.count;
