-- report: functions
-- title: Time by thread and function
-- kinds: spans
-- when: per-thread
-- tally: span depth
-- plot: none
-- column: thread text
-- column: name text
-- column: calls integer
-- column: total duration ns
-- column: self duration ns
-- column: min duration ns
-- column: mean duration ns
-- column: max duration ns
-- column: self_share share fraction
WITH counted AS (
    SELECT
        a.tid,
        a.label AS thread,
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
    JOIN temp.thread AS a ON a.id = t.actor
    GROUP BY a.tid, a.label, n.kind, n.text, n.code
)
SELECT
    thread,
    name,
    calls,
    total,
    self,
    least,
    sum / timed + (sum % timed + timed / 2) / timed AS mean,
    most,
    self / nullif(total(self) OVER (), 0.0) AS self_share
FROM counted
ORDER BY tid, thread, self DESC, name, code
LIMIT ifnull(:top, -1);
-- remark
SELECT text FROM temp.span_remark;
