-- What calls wait for that are made for waiting, by name; those of files by what their descriptor is.
call_waits (name, waits_for) AS (VALUES
    ('futex', 'lock'), ('futex_waitv', 'lock'), ('flock', 'lock'), ('semop', 'lock'),
    ('semtimedop', 'lock'), ('semtimedop_time64', 'lock'),
    ('poll', 'event'), ('ppoll', 'event'), ('ppoll_time64', 'event'), ('select', 'event'),
    ('_newselect', 'event'), ('pselect6', 'event'), ('pselect6_time64', 'event'),
    ('epoll_wait', 'event'), ('epoll_pwait', 'event'), ('epoll_pwait2', 'event'),
    ('io_getevents', 'event'), ('io_pgetevents', 'event'), ('io_uring_enter', 'event'),
    ('wait4', 'process'), ('waitid', 'process'), ('waitpid', 'process'), ('vfork', 'process'),
    ('nanosleep', 'time'), ('clock_nanosleep', 'time'), ('clock_nanosleep_time64', 'time'),
    ('pause', 'signal'), ('sigsuspend', 'signal'), ('rt_sigsuspend', 'signal'),
    ('rt_sigtimedwait', 'signal'), ('rt_sigtimedwait_time64', 'signal'),
    ('accept', 'peer'), ('accept4', 'peer'), ('connect', 'peer'), ('recv', 'peer'),
    ('recvfrom', 'peer'), ('recvmsg', 'peer'), ('recvmmsg', 'peer'), ('send', 'peer'),
    ('sendto', 'peer'), ('sendmsg', 'peer'), ('sendmmsg', 'peer'), ('msgrcv', 'peer'),
    ('msgsnd', 'peer'), ('mq_timedreceive', 'peer'), ('mq_timedsend', 'peer'),
    ('fsync', 'storage'), ('fdatasync', 'storage'), ('sync', 'storage'), ('syncfs', 'storage'),
    ('sync_file_range', 'storage'), ('msync', 'storage'),
    ('restart_syscall', 'restarted')
),
waiting AS MATERIALIZED (
    SELECT t.trace, t.actor, n.text AS name, o.name AS file, t.calls, t.timed, t.total, t.most,
        ifnull(w.waits_for, CASE
            WHEN call_does(n.text) IN ('read', 'write') THEN CASE
                WHEN o.name IS NULL THEN 'descriptor'
                WHEN o.name LIKE 'pipe:%' THEN 'pipe'
                WHEN o.name LIKE 'anon_inode:%' THEN 'event'
                WHEN o.name LIKE '%:[%' OR o.name LIKE 'socket%' THEN 'peer'
                ELSE 'file' END
            WHEN n.text = 'ioctl' AND o.name LIKE '/dev/%binder' THEN 'binder'
            END) AS waits_for
    FROM temp.tally_call AS t
    JOIN main.name AS n ON n.id = t.operation
    LEFT JOIN main.object AS o ON o.id = t.object
    LEFT JOIN call_waits AS w ON w.name = n.text
    WHERE t.returned
),
-- From the first call of a thread to the end of its last.
lived AS MATERIALIZED (
    SELECT actor, CAST(max(last) - min(first) AS INTEGER) AS time FROM temp.tally_call GROUP BY actor
)
