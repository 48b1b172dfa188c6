-- report: threads
-- page: 12
-- question: What did the threads do: run, wait for a processor, sleep?
-- title: States of threads
-- kinds: states
-- plot: none
-- by: function
-- title: Sleep of threads, by function of the kernel
-- tally: state_function
-- key: function
-- order: uninterruptible
-- worth: uninterruptible io_wait sleeping longest count
-- column: function text - - where in the kernel, by sched_blocked_reason; none: not in the log
-- column: uninterruptible duration ns less time asleep until the kernel has finished, for example I/O
-- column: io_wait duration ns less part of the uninterruptible sleep that waits for I/O
-- column: sleeping duration ns less time asleep until something wakes the thread
-- column: count int - - how often
-- column: longest duration ns less the longest time
-- compare: rows value=uninterruptible,io_wait,sleeping,count,longest
-- by: process
-- title: States of processes
-- tally: state
-- key: process
-- by: thread
-- when: by = thread by default
-- tally: state
-- key: thread
-- column: thread text - - the thread
-- by: process
-- column: process text - - the process
-- by: thread process
-- order: running
-- worth: running waiting sleeping uninterruptible switches longest_wait migrations unknown
-- column: running duration ns less time on a processor
-- column: waiting duration ns less time runnable but not running: preempted, or woken
-- column: sleeping duration ns less interruptible sleep
-- column: uninterruptible duration ns less uninterruptible sleep, for example for I/O
-- column: other duration ns less time idle (of kernel threads), stopped, traced or parked
-- column: unknown duration ns less time in unknown states
-- column: switches int - - number of times that a thread began to run
-- column: migrations int - - moves to another processor
-- column: longest_wait duration ns less longest wait for a processor
-- compare: rows value=running,waiting,sleeping,uninterruptible,switches,longest_wait
-- by: function
SELECT
    o.name AS function,
    sum_time(iif(n.text = 'uninterruptible', t.time, 0)) AS uninterruptible,
    sum_time(iif(t.io_wait = 1, t.time, 0)) AS io_wait,
    sum_time(iif(n.text = 'sleeping', t.time, 0)) AS sleeping,
    sum(t.count) AS count,
    max(t.longest) AS longest
FROM temp.tally_state AS t
JOIN main.name AS n ON n.id = t.operation
LEFT JOIN main.object AS o ON o.id = t.object
WHERE n.kind = 'state' AND n.text IN ('sleeping', 'uninterruptible')
GROUP BY o.name
ORDER BY uninterruptible DESC, sleeping DESC, o.name
-- by: thread process
SELECT
-- by: thread
    a.label,
-- by: process
    a.label,
-- by: thread process
    sum_time(iif(n.text = 'running', t.time, 0)) AS running,
    sum_time(iif(n.text IN ('preempted', 'woken'), t.time, 0)) AS waiting,
    sum_time(iif(n.text = 'sleeping', t.time, 0)) AS sleeping,
    sum_time(iif(n.text = 'uninterruptible', t.time, 0)) AS uninterruptible,
    sum_time(iif(n.text IN ('idle', 'stopped', 'traced', 'parked'), t.time, 0)) AS other,
    sum_time(t.unknown + iif(n.text = 'unknown', t.time, 0)) AS unknown,
    sum(iif(n.text = 'running', t.count, 0)) AS switches,
    sum(t.migrations) AS migrations,
    max(iif(n.text IN ('preempted', 'woken'), t.longest, 0)) AS longest_wait
FROM temp.tally_state AS t
JOIN main.name AS n ON n.id = t.operation
-- by: thread
JOIN temp.thread AS a ON a.id = t.actor
-- by: process
JOIN temp.process AS a ON a.id = t.actor
-- by: thread process
WHERE n.kind = 'state'
GROUP BY a.label
ORDER BY running DESC, waiting DESC, a.label
-- by: all
LIMIT ifnull(:rows, -1);
-- by: thread process
-- remark definition
SELECT 'waiting: for a processor, after being preempted or woken; unknown: before the first event of a thread, after its last, and where events are lost';
