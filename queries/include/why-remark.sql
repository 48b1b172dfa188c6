-- remark definition
SELECT printf('%d of %s states; %.1f %% of their time is unexplained%s',
    with_states, counted(calls, 'call{ has|s have}'), ifnull(100.0 * unexplained / nullif(time, 0), 0),
    CASE WHEN lacks & 1 THEN ': every wait, without sched_waking or sched_wakeup in the log'
        WHEN lacks & 2 THEN ': without irq events in the log, also waits that a thread ended'
        ELSE '' END)
FROM temp.why_total;
-- remark definition
SELECT 'interrupt, kernel: ksoftirqd: also waits for devices, if block_rq_complete is not in the log: none was for one'
FROM temp.why_total
WHERE lacks & 4 AND EXISTS (SELECT 1 FROM temp.tally_why WHERE cause GLOB 'interrupt*' OR cause = 'kernel: ksoftirqd');
-- remark excluded
SELECT printf('excluded: %d of %s without a duration', untimed, counted(calls + untimed, 'call{s}'))
FROM temp.why_total WHERE untimed > 0;
-- remark
SELECT 'not followed: ' || counted(unfollowed, 'wait{s}, because many threads wait for the same threads')
FROM temp.why_total WHERE unfollowed > 0;
-- remark
SELECT printf('queue_time: not in the log for %d of %d waits for requests other than flushes', unqueued, requests)
FROM temp.why_total WHERE unqueued > 0;
