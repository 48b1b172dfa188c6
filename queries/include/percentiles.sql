    -- Columns of percentiles-columns.sql, from temp.distribution AS d.
    d.count, d.min, d.mean, d.p50, d.p90, d.p95, d.p99, d.p99_9, d.max
