-- report: findings
-- title: waiting for a processor
-- kinds: states
-- tally: state_interval
-- weight: weight time
-- say: {thread} waited for a processor for {waiting}, {value} of the time in which it could run; the longest wait was {longest}
-- look: report threads
-- why: Other threads used the processors, or the thread is bound to one of them.
-- unless: The thread has a low priority on purpose.
-- source: tracetool's own choice; no published threshold is known.
-- parameter: processor-wait-share real 0.1 "share of a thread's ready and running time"
-- column: fires int
-- column: value share
-- column: threshold share
-- column: weight share
-- column: thread text
-- column: waiting duration
-- column: longest duration
-- Chooses the firing thread that waited longest, else the thread with the largest share. Without
-- wakeups, what a thread waited behind them counts as sleep: NULL unless it fires all the same.
WITH item AS (
    SELECT t.actor, sum_time(iif(n.text = 'running', t.time, 0)) AS running,
        sum_time(iif(n.text IN ('preempted', 'woken'), t.time, 0)) AS waiting,
        max(iif(n.text IN ('preempted', 'woken'), t.longest, 0)) AS longest
    FROM temp.tally_state AS t
    JOIN main.name AS n ON n.id = t.operation
    WHERE n.kind = 'state'
    GROUP BY t.actor
),
judged AS (
    SELECT *, 1.0 * waiting / (running + waiting) AS value,
        iif(1.0 * waiting / (running + waiting) > :processor_wait_share, 1,
            iif((SELECT count(*) FROM main.name AS n JOIN temp.selection AS s ON s.trace = n.trace WHERE n.text = 'woken'), 0, NULL)) AS fires
    FROM item
    WHERE running + waiting > 0
)
SELECT j.fires, iif(j.fires IS NULL, NULL, j.value) AS value, :processor_wait_share AS threshold,
    min(1.0, 1.0 * j.waiting / (SELECT nullif(max(s.time), 0) FROM temp.selection AS s)) AS weight, a.label AS thread,
    iif(j.fires IS NULL, NULL, j.waiting) AS waiting, j.longest
FROM judged AS j
LEFT JOIN temp.thread_label AS a ON a.id = j.actor
ORDER BY j.fires DESC, iif(j.fires, j.waiting, j.value) DESC, a.label
LIMIT 1
