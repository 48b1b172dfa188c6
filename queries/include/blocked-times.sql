    -- The columns of blocked-columns.sql, out of `counted` (blocked-sums.sql).
    calls,
    self,
    cpu_self,
    self - cpu_self AS blocked_self,
    (self - cpu_self) / nullif((SELECT total(self - cpu_self) FROM counted), 0.0) AS share
