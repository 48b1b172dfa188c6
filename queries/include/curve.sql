    -- Columns of curve-columns.sql, from the rows of curve-from.sql.
    c.value, 1.0 * c.count / d.count, d.count - c.count
