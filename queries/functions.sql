-- report: functions
-- title: Time by function
-- kinds: spans
-- tally: span depth
-- column: name text
-- column: calls integer
-- column: total duration ns
-- column: self duration ns
-- column: min duration ns
-- column: mean duration ns
-- column: max duration ns
-- column: self_share share fraction
--
-- `total` sums the outermost calls, the other times are over all calls: docs/spans.md.
--
-- First by operation, which needs no sorting; then operations of one name, which several traces
-- have, are one.
WITH by_operation AS (
    SELECT
        operation,
        sum(calls) AS calls,
        sum(timed) AS timed,
        sum_time(total) AS total,
        sum_time(sum) AS sum,
        sum_time(self) AS self,
        min(least) AS least,
        max(most) AS most
    FROM temp.tally_span
    GROUP BY operation
),
counted AS MATERIALIZED (
    SELECT
        ifnull(m.merged, t.operation) AS operation,
        sum(t.calls) AS calls,
        sum(t.timed) AS timed,
        sum_time(t.total) AS total,
        sum_time(t.sum) AS sum,
        sum_time(t.self) AS self,
        min(t.least) AS least,
        max(t.most) AS most
    FROM by_operation AS t
    LEFT JOIN temp.merged_operation AS m ON m.id = t.operation
    GROUP BY 1
)
SELECT
    n.text AS name,
    calls,
    total,
    self,
    least,
    sum / timed + (sum % timed + timed / 2) / timed AS mean,
    most,
    self / nullif((SELECT total(self) FROM counted), 0.0) AS self_share
FROM counted
JOIN main.name AS n ON n.id = counted.operation
ORDER BY self DESC, name, n.code
LIMIT ifnull(:top, -1);
-- remark
SELECT text FROM temp.span_remark;
