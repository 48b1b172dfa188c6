-- For pictures: rank of each operation by number of calls; all from the hundredth on share a rank.
-- Operations of the same name in several traces share theirs.
named(name, rank) AS (
    SELECT n.text, row_number() OVER (ORDER BY sum(t.count) DESC, n.text)
    FROM temp.tally_operation AS t
    JOIN main.name AS n ON n.id = t.operation
    WHERE :picture
    GROUP BY n.text
),
ranks(operation, rank) AS MATERIALIZED (
    SELECT DISTINCT t.operation, min(named.rank, 100)
    FROM temp.tally_operation AS t
    JOIN main.name AS n ON n.id = t.operation
    JOIN named ON named.name = n.text
)
