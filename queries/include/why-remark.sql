-- remark definition
SELECT printf('%d of %d calls have states; %.1f %% of their time is unexplained%s',
    with_states, calls, ifnull(100.0 * unexplained / nullif(time, 0), 0),
    CASE lacks WHEN 1 THEN ': every wait, without sched_waking or sched_wakeup in the log'
        WHEN 2 THEN ': without irq events in the log, also waits that a thread ended'
        WHEN 3 THEN ': every wait, without sched_waking or sched_wakeup in the log'
        ELSE '' END)
FROM temp.why_total;
-- remark excluded
SELECT printf('excluded: %d of %d calls without a duration', untimed, calls + untimed)
FROM temp.why_total WHERE untimed > 0;
-- remark
SELECT 'not followed: ' || counted(unfollowed, 'wait{s}, since many threads wait for the same ones')
FROM temp.why_total WHERE unfollowed > 0;
-- remark
SELECT printf('queue_time: not in the log for %d of %d waits for requests other than flushes', unqueued, requests)
FROM temp.why_total WHERE unqueued > 0;
