    -- Processes by I/Os: name, count.
    SELECT t.process AS name, sum(t.count) AS count
    FROM temp.tally_process AS t
    GROUP BY t.process
