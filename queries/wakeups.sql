-- report: wakeups
-- page: 14
-- question: How long do threads that were woken wait until they run?
-- kinds: states
-- plot: ecdf
-- curves: 6
-- order: count
-- by: none
-- title: From woken to running
-- tally: wakeup
-- key: group
-- column: group text - - all wakeups
-- by: pair
-- title: From woken to running, by waker and thread
-- tally: wakeup_pair
-- key: pair
-- column: pair text - - waker and woken thread
-- by: thread
-- title: From woken to running, by thread
-- when: by = thread by default
-- tally: wakeup_thread
-- key: thread
-- column: thread text - - the thread
-- by: waker
-- title: From woken to running, by waker
-- tally: wakeup_waker
-- key: waker
-- column: waker text - - what woke the thread: a thread, a device, the network, a timer, another interrupt
-- by: all
-- include: percentiles-columns
-- include: curve-columns
-- column: part text if compare
-- compare: values group=part
-- by: none
SELECT
    'all' AS "group",
-- by: pair thread waker
SELECT
    d.name,
-- by: all
    -- include: percentiles
    ,
    -- include: curve
    , d.name AS part
-- include: curve-from
ORDER BY d.count DESC, d.name, c.value
LIMIT ifnull(:rows, -1);
-- include: percentiles-remark
-- by: pair waker
-- remark
SELECT 'the log has no irq events: a wakeup by an interrupt counts for the thread that it interrupted'
WHERE EXISTS (SELECT 1 FROM temp.selection AS s
    CROSS JOIN main.meaning AS m ON m.trace = s.trace AND m."column" = '' AND m.what = 'no interrupts');
