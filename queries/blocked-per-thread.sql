-- report: blocked
-- title: Time blocked, by thread
-- kinds: spans
-- clocks: both
-- when: per-thread
-- tally: wait
-- column: thread text
-- key: thread
-- include: blocked-columns
WITH counted AS MATERIALIZED (
    SELECT
        a.tid,
        a.label AS thread,
        -- include: blocked-sums
    FROM temp.tally_wait AS t
    JOIN temp.thread AS a ON a.id = t.actor
    GROUP BY a.tid, a.label
)
SELECT
    thread,
    -- include: blocked-times
FROM counted
ORDER BY blocked_self DESC, tid, thread
LIMIT ifnull(:rows, -1);
-- include: blocked-remarks
