    -- Of the rows of an hour, out of those of hours.sql: for how many seconds the traces were seen in
    -- it, where two are compared; else 0. Of the day: full days, and what the last one has more of
    -- the hour than the first.
    (
        SELECT total(CASE
            WHEN (SELECT yes FROM folded) THEN
                (o.last / 86400000000000 - o.first / 86400000000000) * 3600000000000
                + min(max(o.last % 86400000000000 - hours.hour * 3600000000000, 0), 3600000000000)
                - min(max(o.first % 86400000000000 - hours.hour * 3600000000000, 0), 3600000000000)
            ELSE
                min(max(o.last - (o.first_hour + hours.hour) * 3600000000000, 0), 3600000000000)
                - min(max(o.first - (o.first_hour + hours.hour) * 3600000000000, 0), 3600000000000)
            END) / 1e9
        FROM observed AS o
    ) AS seconds
