-- report: findings
-- title: waiting for locks
-- kinds: calls
-- fact: times report
-- tally: thread_found
-- weight: weight time
-- say: {thread} spent {time}, {value} of its time, in {calls} {noun} on locks ({names}); the longest took {most}
-- look: report waits
-- why: Another thread holds the lock. Condition variables wait in the same call, so it may also be a wait for work.
-- unless: The thread belongs to a pool and has no work.
-- source: tracetool's own choice; no published threshold is known.
-- parameter: lock-wait-share real 0.1 "share of a thread's time"
-- parameter: lock-wait-once real 0.5 "share of its time above which a thread's longest call excludes it"
-- parameter: lock-wait-idle real 0.95 "share of its time in calls above which a thread is excluded, because it waits for work"
-- column: fires int
-- column: value share
-- column: threshold share
-- column: weight share
-- column: thread text
-- column: time duration
-- column: calls int
-- column: noun text
-- column: names text
-- column: most duration
-- Chooses the thread with the longest total wait. Excludes threads that spend most of their life in
-- one wait, or nearly all of it waiting.
WITH by_thread AS (
    SELECT actor, locks AS calls, lock_time AS time, lock_most AS most, last - first AS life, lock_operations
    FROM temp.thread_found
    WHERE lock_operations > 0 AND most <= :lock_wait_once * life AND ifnull(time, 0) <= :lock_wait_idle * life
    ORDER BY time DESC, actor
    LIMIT 1
)
SELECT 1.0 * b.time / b.life > :lock_wait_share AS fires, 1.0 * b.time / b.life AS value,
    :lock_wait_share AS threshold,
    min(1.0, 1.0 * b.time / (SELECT max(last) - min(first) FROM temp.thread_found)) AS weight,
    ifnull(a.label, 'a thread') AS thread, b.time, b.calls, iif(b.calls = 1, 'call', 'calls') AS noun,
    (SELECT group_concat(text, ', ') FROM (SELECT DISTINCT n.text FROM temp.lock_operation AS k
        JOIN main.name AS n ON n.id = k.operation WHERE b.lock_operations & k.bit ORDER BY n.text)) AS names,
    b.most
FROM by_thread AS b
LEFT JOIN temp.thread_label AS a ON a.id = b.actor
WHERE b.life > 0
