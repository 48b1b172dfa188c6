-- report: popularity
-- title: Popularity of operations
-- kinds: calls io spans
-- when: of = operation by default
-- options: mark
-- actions: all
-- tally: operation
-- include: popularity-columns
-- column: mark text if mark
--
-- Traps are told apart by their number, for a few names occur twice; Android's methods of several
-- traces by name, for their numbers differ from run to run. `mark` is * for what is among
-- the first :top of the trace of --mark, too, as the filters choose there; without --top, for what
-- occurs at all.
WITH counted AS MATERIALIZED (
    SELECT n.kind, n.text AS name, n.code, sum(t.count) AS count
    FROM temp.tally_operation AS t
    LEFT JOIN temp.merged_operation AS m ON m.id = t.operation
    JOIN main.name AS n ON n.id = ifnull(m.merged, t.operation)
    GROUP BY n.kind, n.text, n.code
    HAVING sum(t.count) > 0
),
other_top AS (
    SELECT n.kind, n.text AS name, n.code
    FROM temp.marked_operation AS other
    JOIN main.name AS n ON n.id = other.operation
    GROUP BY n.kind, n.text, n.code
    ORDER BY sum(other.count) DESC, n.text, n.code
    LIMIT ifnull(:top, -1)
)
SELECT
    -- include: popularity
    , CASE WHEN EXISTS (
        SELECT 1 FROM other_top AS o
        WHERE o.kind = counted.kind AND o.name = counted.name
            AND (o.code IS counted.code OR o.kind = 'method')
    ) THEN '*' END AS mark
FROM counted
WINDOW popular AS (ORDER BY count DESC, name, code)
ORDER BY rank
LIMIT ifnull(:rows, -1);
