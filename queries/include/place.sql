-- Counts of temp.tally_place, with the name of the process.
place AS (
    SELECT ifnull(a.name, '') AS process, t.partition, t.file_type, t.class, t.count, t.bytes
    FROM temp.tally_place AS t
    LEFT JOIN main.actor AS a ON a.id = t.actor
)
