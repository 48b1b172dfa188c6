    -- Of rows `t` of temp.tally_wait.
    sum(t.calls) AS calls,
    sum_time(t.self) AS self,
    sum_time(t.cpu_self) AS cpu_self,
    sum_time(t.total) AS total,
    sum_time(t.cpu_total) AS cpu_total
