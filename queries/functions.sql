-- report: functions
-- title: Time by function
-- kinds: spans
-- options: corrected measured
-- tally: span depth
-- column: name text
-- key: name
-- order: self
-- include: span-columns
-- compare: times calls=calls time=self
--
-- `total` sums the outermost calls, the other times are over all calls: docs/spans.md.
--
-- First by operation, which needs no sorting; then operations of one name, which several traces
-- have, are one.
WITH by_operation AS MATERIALIZED (
    SELECT
        t.operation,
        -- include: span-sums
    FROM temp.tally_span AS t
    GROUP BY t.operation
),
counted AS MATERIALIZED (
    SELECT * FROM by_operation WHERE NOT EXISTS (SELECT 1 FROM temp.merged_operation)
    UNION ALL
    SELECT
        m.merged AS operation,
        -- include: span-sums
    FROM by_operation AS t
    JOIN temp.merged_operation AS m ON m.id = t.operation
    WHERE EXISTS (SELECT 1 FROM temp.merged_operation)
    GROUP BY 1
)
SELECT
    n.text AS name,
    -- include: span-times
    , self / nullif((SELECT total(self) FROM counted), 0.0) AS self_share
FROM counted
JOIN main.name AS n ON n.id = counted.operation
ORDER BY self DESC, name, n.code
LIMIT ifnull(:rows, -1);
-- remark
SELECT text FROM temp.span_remark;
-- include: open-share
