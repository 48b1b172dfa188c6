-- What calls wait for, by name; transfers, and the close of a file, by what the descriptor leads to.
-- What has no path has no file type, and is named by the call that made it, or as -y prints it.
-- `filesystem`: lookups by path, which read directories and inodes, and changes of either.
on_filesystem (name) AS (VALUES
    ('open'), ('open64'), ('openat'), ('openat2'), ('creat'), ('open_by_handle_at'), ('unlink'),
    ('unlinkat'), ('rename'), ('renameat'), ('renameat2'), ('mkdir'), ('mkdirat'), ('rmdir'),
    ('mknod'), ('mknodat'), ('link'), ('linkat'), ('symlink'), ('symlinkat'), ('truncate'),
    ('truncate64'), ('ftruncate'), ('ftruncate64'), ('fallocate'), ('chmod'), ('fchmod'),
    ('fchmodat'), ('fchmodat2'), ('chown'), ('chown32'), ('fchown'), ('fchown32'), ('lchown'),
    ('lchown32'), ('fchownat'), ('utime'), ('utimes'), ('utimensat'), ('utimensat_time64'),
    ('futimes'), ('futimesat'), ('setxattr'), ('lsetxattr'), ('fsetxattr'), ('setxattrat'),
    ('removexattr'), ('lremovexattr'), ('fremovexattr'), ('removexattrat'), ('getxattr'),
    ('lgetxattr'), ('fgetxattr'), ('getxattrat'), ('listxattr'), ('llistxattr'), ('flistxattr'),
    ('listxattrat'), ('getdents'), ('getdents64'), ('stat'), ('stat64'), ('lstat'), ('lstat64'),
    ('newfstatat'), ('fstatat64'), ('statx'), ('oldstat'), ('oldlstat'), ('access'), ('faccessat'),
    ('faccessat2'), ('readlink'), ('readlinkat'), ('statfs'), ('statfs64'), ('fstatfs'),
    ('fstatfs64'), ('chdir'), ('chroot'), ('mount'), ('umount'), ('umount2'), ('pivot_root'),
    ('move_mount'), ('quotactl')
),
call_waits (name, waits_for) AS MATERIALIZED (VALUES
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
    ('sync_file_range', 'storage'), ('sync_file_range2', 'storage'),
    ('arm_sync_file_range', 'storage'), ('msync', 'storage'), ('readahead', 'storage'),
    ('io_submit', 'storage'),
    ('restart_syscall', 'restarted')
    UNION ALL SELECT name, 'filesystem' FROM on_filesystem
),
-- Decided once a call and once a descriptor, for there may be a million rows. `named`: the first of that name, by
-- which rows are grouped, and not by the text; NULL of a descriptor without one. SQLite makes an index of what a join
-- gives, and none of what a window function does.
named (id, text, named) AS (
    SELECT n.id, n.text, min(n.id) OVER (PARTITION BY n.text)
    FROM temp.selection AS s
    CROSS JOIN main.name AS n ON n.trace = s.trace
),
operations AS MATERIALIZED (
    SELECT n.id, n.text AS name, n.named, w.waits_for,
        CASE WHEN w.waits_for IS NULL THEN iif(n.text IN ('close', 'ioctl'), n.text, call_does(n.text)) END AS does
    FROM named AS n
    LEFT JOIN call_waits AS w ON w.name = n.text
),
descriptors AS MATERIALIZED (
    SELECT o.id, descriptor_kind(o.name, o.type) AS kind
    FROM temp.selection AS s
    CROSS JOIN main.object AS o ON o.trace = s.trace
)
