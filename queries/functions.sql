-- report: functions
-- title: Time by function
-- kinds: spans
-- instead: syscalls
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
-- have, are one. LIMIT 0 spares what is not wanted: a WHERE would be asked row by row.
WITH by_operation AS NOT MATERIALIZED (
    SELECT
        t.operation,
        -- include: span-sums
    FROM temp.tally_span AS t
    GROUP BY t.operation
),
counted AS MATERIALIZED (
    SELECT * FROM (
        SELECT * FROM by_operation
        LIMIT iif(EXISTS (SELECT 1 FROM temp.merged_operation), 0, -1)
    )
    UNION ALL
    SELECT * FROM (
        SELECT
            m.merged AS operation,
            -- include: span-sums
        FROM by_operation AS t
        JOIN temp.merged_operation AS m ON m.id = t.operation
        GROUP BY 1
        LIMIT iif(EXISTS (SELECT 1 FROM temp.merged_operation), -1, 0)
    )
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
