    -- Aggregates of rows `t` with the columns of temp.tally_span.
    sum(t.calls) AS calls,
    sum(t.timed) AS timed,
    sum_time(t.total) AS total,
    sum_time(t.sum) AS sum,
    sum_time(t.self) AS self,
    min(t.least) AS least,
    max(t.most) AS most
