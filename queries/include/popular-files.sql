    -- Files by events: name, count.
    SELECT o.name AS name, sum(t.count) AS count
    FROM temp.tally_object AS t
    JOIN main.object AS o ON o.id = t.object
    WHERE o.name IS NOT NULL
    GROUP BY o.name
    HAVING sum(t.count) > 0 -- else it has only bytes of I/Os that are counted with other files
