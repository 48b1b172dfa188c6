-- For pictures: rank of each operation by number of calls; all from the hundredth on share a rank.
-- Operations of the same name in several traces share theirs. Without a join by name: SQLite would
-- compare all names with all.
ranks(operation, rank) AS MATERIALIZED (
    SELECT DISTINCT operation, min(dense_rank() OVER (ORDER BY total DESC, text), 100)
    FROM (
        SELECT t.operation, n.text, sum(t.count) OVER (PARTITION BY n.text) AS total
        FROM temp.tally_operation AS t
        JOIN main.name AS n ON n.id = t.operation
        WHERE :picture
    )
)
