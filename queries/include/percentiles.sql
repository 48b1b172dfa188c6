    -- The columns of percentiles-columns.sql, of rows `d` of temp.distribution.
    d.count, d.min, d.mean, d.p50, d.p90, d.p95, d.p99, d.p99_9, d.max
