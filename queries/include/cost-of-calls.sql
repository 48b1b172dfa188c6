-- Costs of a trace's calls, by weight_of: first calls and bytes, then times.
costed (cost) AS (
    SELECT total(w.call * t.count + w.byte * t.bytes)
    FROM temp.tally_operation AS t
    JOIN weight_of AS w ON w.operation = t.operation
    UNION ALL
    SELECT total(w.ms * t.total / 1e6)
    FROM temp.tally_call AS t
    JOIN weight_of AS w ON w.operation = t.operation
)
