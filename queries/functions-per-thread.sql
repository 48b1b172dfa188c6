-- report: functions
-- title: Time by thread and function
-- kinds: spans
-- when: per-thread
-- tally: span depth
-- plot: none
-- column: thread text
-- column: name text
-- include: span-columns
WITH counted AS (
    SELECT
        a.tid,
        a.label AS thread,
        n.text AS name,
        n.code,
        -- include: span-sums
    FROM temp.tally_span AS t
    JOIN main.name AS n ON n.id = t.operation
    JOIN temp.thread AS a ON a.id = t.actor
    GROUP BY a.tid, a.label, n.kind, n.text, n.code
)
SELECT
    thread,
    name,
    -- include: span-times
    , self / nullif(total(self) OVER (), 0.0) AS self_share
FROM counted
ORDER BY tid, thread, self DESC, name, code
LIMIT ifnull(:top, -1);
-- remark
SELECT text FROM temp.span_remark;
