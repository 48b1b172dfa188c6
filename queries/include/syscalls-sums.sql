    -- Of rows `t` of temp.tally_call, those that returned: what syscalls.sql counts.
    sum(t.calls) AS calls,
    sum(iif(t.failed, t.calls, 0)) AS errors,
    sum_time(t.total) AS total
