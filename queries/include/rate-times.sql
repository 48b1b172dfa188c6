    -- Mean and longest duration in temp.tally_rate AS r, by interval or finer.
    sum_time(r.duration) / sum(r.timed)
        + (sum_time(r.duration) % sum(r.timed) + sum(r.timed) / 2) / sum(r.timed) AS mean,
    iif(sum(r.timed) > 0, max(r.longest), NULL) AS max
