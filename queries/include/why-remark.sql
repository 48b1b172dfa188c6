-- remark definition
SELECT printf('the log has states of the thread (running, sleeping, …) for %d of %s; %.1f %% of their time is unexplained%s',
    with_states, counted(calls, 'call{s}'), ifnull(100.0 * unexplained / nullif(time, 0), 0),
    CASE WHEN lacks & 1 THEN ': every wait, as the log has neither sched_waking nor sched_wakeup'
        WHEN lacks & 2 THEN ', also waits that a thread ended: without irq events in the log, an interrupt may have ended them'
        ELSE '' END)
FROM temp.why_total;
-- remark definition
SELECT 'waits for a device are not known: the log has no block_rq_complete, so they count as "interrupt" or "kernel: ksoftirqd"'
FROM temp.why_total
WHERE lacks & 4 AND EXISTS (SELECT 1 FROM temp.tally_why WHERE cause GLOB 'interrupt*' OR cause = 'kernel: ksoftirqd');
-- remark excluded
SELECT printf('excluded: %d of %s without a duration', untimed, counted(calls + untimed, 'call{s}'))
FROM temp.why_total WHERE untimed > 0;
-- include: interrupted-remark
-- remark
SELECT 'waits not followed to their cause: ' || unfollowed || ', as many threads wait for the same threads'
FROM temp.why_total WHERE unfollowed > 0;
-- remark
SELECT printf('queue_time is unknown for %d of %d waits for requests other than flushes: the log does not show the queueing', unqueued, requests)
FROM temp.why_total WHERE unqueued > 0;
