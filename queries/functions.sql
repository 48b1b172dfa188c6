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
WITH counted AS (
    SELECT
        n.text AS name,
        n.code,
        sum(t.calls) AS calls,
        sum(t.timed) AS timed,
        sum_time(t.total) AS total,
        sum_time(t.sum) AS sum,
        sum_time(t.self) AS self,
        min(t.least) AS least,
        max(t.most) AS most
    FROM temp.tally_span AS t
    JOIN main.name AS n ON n.id = t.operation
    GROUP BY n.kind, n.text, n.code
)
SELECT
    name,
    calls,
    total,
    self,
    least,
    sum / timed + (sum % timed + timed / 2) / timed AS mean,
    most,
    self / nullif(total(self) OVER (), 0.0) AS self_share
FROM counted
ORDER BY self DESC, name, code
LIMIT ifnull(:top, -1);
-- remark
SELECT text FROM temp.span_remark;
