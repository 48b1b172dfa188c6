-- report: waits
-- question: What do threads wait for?
-- title: Times of calls that wait
-- when: cdf
-- kinds: calls
-- needs: duration=call
-- needs: value=result
-- events: yes
-- plot: ecdf
-- curves: 6
-- order: count
-- key: waits_for
-- column: waits_for text - - what the call waits for, and what it is called in the log
-- include: percentiles-columns
-- include: curve-columns
--
-- Calls that wait, and what for, are those of waits.sql.
SELECT
    d.name AS waits_for,
    -- include: percentiles
    ,
    -- include: curve
-- include: curve-from
ORDER BY d.count DESC, d.name, c.value
LIMIT ifnull(:rows, -1);
-- distribution
SELECT waits_for || ': ' || name, duration
FROM (
    WITH
    -- include: calls-that-wait
    SELECT n.name, e.duration, ifnull(n.waits_for, CASE
        WHEN n.does IN ('read', 'write', 'copy')
            THEN replace(ifnull(o.kind, descriptor_kind(NULL, NULL)), 'binder', 'file')
        WHEN n.does = 'close' AND o.kind IN ('file', 'binder') THEN 'filesystem'
        WHEN n.does = 'ioctl' AND o.kind = 'binder' THEN 'binder'
        END) AS waits_for
    FROM temp.selected_event AS e
    CROSS JOIN operations AS n ON n.id = e.operation
    LEFT JOIN descriptors AS o ON o.id = e.object
    WHERE e.duration IS NOT NULL
)
WHERE waits_for IS NOT NULL
