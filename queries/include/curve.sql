    -- The columns of curve-columns.sql, of what curve-from.sql gives.
    c.value, 1.0 * c.count / d.count, d.count - c.count
