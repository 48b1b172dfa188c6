-- What the trace of --mark counted, by operation and actor.
marked AS (
    SELECT r.operation, r.actor, r.count
    FROM main.rollup_operation AS r
    WHERE r.trace = :mark
    UNION ALL
    -- A rollup that grew too large was dropped.
    SELECT e.operation, e.actor, count(*)
    FROM main.trace AS t
    CROSS JOIN main.event AS e
    WHERE t.id = :mark AND e.id BETWEEN t.first_event AND t.last_event
        AND instr(' ' || t.rollups || ' ', ' operation ') = 0
    GROUP BY e.operation, e.actor
)
