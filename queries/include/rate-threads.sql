    -- Calls in temp.tally_rate by thread.
    SELECT a.label AS name, r.*
    FROM temp.tally_rate AS r
    JOIN temp.thread AS a ON a.id = r."group"
