-- Calls of temp.tally_call with what they wait for, NULL for those that do not.
-- include: calls-that-wait
,
waiting AS (
    SELECT t.actor, n.named AS operation, t.object, t.timed, t.total, t.most,
        ifnull(n.waits_for, CASE
            WHEN n.does IN ('read', 'write', 'copy')
                THEN replace(ifnull(o.kind, descriptor_kind(NULL, NULL)), 'binder', 'file')
            WHEN n.does = 'close' AND o.kind IN ('file', 'binder') THEN 'filesystem'
            WHEN n.does = 'ioctl' AND o.kind = 'binder' THEN 'binder'
            END) AS waits_for
    FROM temp.tally_call AS t
    CROSS JOIN operations AS n ON n.id = t.operation
    LEFT JOIN descriptors AS o ON o.id = t.object
    WHERE t.returned
)
