-- report: functions
-- title: Time by thread and function
-- kinds: spans
-- options: corrected measured
-- when: per-thread
-- tally: span depth
-- plot: threads
-- column: thread text
-- column: name text
-- include: span-columns
-- column: rank number if picture
-- compare: times key=thread,name calls=calls time=self
WITH counted AS (
    SELECT
        a.tid,
        a.label AS thread,
        n.text AS name,
        n.code,
        -- include: span-sums
    FROM temp.tally_span AS t
    LEFT JOIN temp.merged_operation AS m ON m.id = t.operation
    JOIN main.name AS n ON n.id = ifnull(m.merged, t.operation)
    JOIN temp.thread AS a ON a.id = t.actor
    GROUP BY a.tid, a.label, n.kind, n.text, n.code
),
-- For pictures: the place of each function by its time in all threads.
ranks AS MATERIALIZED (
    SELECT name AS ranked, row_number() OVER (ORDER BY sum(self) DESC, name) AS rank
    FROM counted
    WHERE :picture
    GROUP BY name
)
SELECT
    thread,
    name,
    -- include: span-times
    , self / nullif(total(self) OVER (), 0.0) AS self_share
    , rank
FROM counted
LEFT JOIN ranks ON ranked = name
ORDER BY tid, thread, self DESC, name, code
LIMIT ifnull(:top, -1);
-- remark
SELECT text FROM temp.span_remark;
-- include: open-share
