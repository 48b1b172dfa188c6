    -- Processes by I/Os: name, count.
    SELECT t.process AS name, sum(t.count) AS count
    FROM temp.tally_process AS t
    GROUP BY t.process
    HAVING sum(t.count) > 0 -- otherwise it only has bytes of I/Os that are counted with other files
