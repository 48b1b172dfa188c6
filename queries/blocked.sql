-- report: blocked
-- title: Time blocked, by thread and function
-- kinds: spans
-- clocks: both
-- tally: wait
-- column: thread text
-- column: name text
-- key: thread name
-- include: blocked-columns
-- column: blocked_total duration ns
WITH counted AS MATERIALIZED (
    SELECT
        a.tid,
        a.label AS thread,
        n.text AS name,
        n.code,
        -- include: blocked-sums
    FROM temp.tally_wait AS t
    JOIN main.name AS n ON n.id = t.operation
    JOIN temp.thread AS a ON a.id = t.actor
    GROUP BY a.tid, a.label, n.kind, n.text, n.code
)
SELECT
    thread,
    name,
    -- include: blocked-times
    , total - cpu_total AS blocked_total
FROM counted
ORDER BY blocked_self DESC, tid, thread, name, code
LIMIT ifnull(:rows, -1);
-- include: blocked-remarks
