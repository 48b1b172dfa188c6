    -- CTEs on temp.reference and temp.tally_span. `measured`: mean times by trace and name.
    -- `errors`: row per trace and reference; NULL if the trace has no such time. `best`: trace with
    -- the least mean error. `least`: its rows.
    measured AS MATERIALIZED (
        -- The cast gives the number the type of selection.trace, which indexed lookups need.
        SELECT CAST(t.trace AS INTEGER) AS trace, n.text AS name, total(t.sum) / nullif(sum(t.timed), 0) AS mean
        FROM temp.tally_span AS t
        CROSS JOIN main.name AS n ON n.id = t.operation
        GROUP BY t.trace, n.text
    ),
    errors AS MATERIALIZED (
        SELECT
            r.rowid AS place, r.name, r.time, s.trace, m.mean,
            abs(m.mean - r.time) / nullif(r.time, 0) AS error
        FROM temp.reference AS r
        CROSS JOIN temp.selection AS s
        LEFT JOIN measured AS m ON m.name = r.name AND m.trace = s.trace
    ),
    best AS MATERIALIZED (
        SELECT trace FROM errors WHERE error NOT NULL GROUP BY trace ORDER BY avg(error), trace
        LIMIT 1
    ),
    least AS MATERIALIZED (
        SELECT place, trace, error FROM errors WHERE trace = (SELECT trace FROM best)
    )
