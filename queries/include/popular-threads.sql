    -- Threads by calls: name, count.
    SELECT a.label AS name, sum(t.count) AS count
    FROM temp.tally_operation AS t
    JOIN temp.thread AS a ON a.id = t.actor
    GROUP BY a.label
