    -- The columns of span-columns.sql but the last, out of those of span-sums.sql.
    calls,
    total,
    self,
    least,
    sum / timed + (sum % timed + timed / 2) / timed AS mean,
    most
