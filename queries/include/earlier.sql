    -- Traces of schema version 3 and earlier whose logs tell more than was kept of them: who asked for
    -- an I/O, and when.
    earlier (name, format) AS (
        SELECT t.name, t.format
        FROM temp.selection AS s
        CROSS JOIN main.trace AS t ON t.id = s.trace
        WHERE t.format IN ('blkparse', 'most')
            AND NOT EXISTS (
                SELECT 1 FROM main.meaning AS m WHERE m.trace = t.id AND m."column" = 'issuer')
    )
