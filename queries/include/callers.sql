    -- The chosen function, its nodes in temp.tally_tree, and those above and below. `part` has
    -- relation, operation, calls, total, self. `place` is 0 above the function, 1 in its outermost
    -- calls and their direct recursion, 2 below.
    meant (name) AS (
        SELECT iif(:function <> '', :function, (SELECT n.text FROM temp.tally_tree AS t
            CROSS JOIN main.name AS n ON n.id = t.operation
            GROUP BY n.text ORDER BY sum_time(t.self) DESC, n.text LIMIT 1))
    ),
    wanted (operation) AS MATERIALIZED (
        SELECT DISTINCT t.operation FROM temp.tally_tree AS t
        CROSS JOIN main.name AS n ON n.id = t.operation WHERE n.text = (SELECT name FROM meant)
    ),
    path (node, operation, is_wanted, place, above, above_place, calls, total, self) AS (
        SELECT t.node, t.operation, t.operation IN wanted, t.operation IN wanted, NULL, 0,
            t.calls, t.total, t.self
        FROM temp.tally_tree AS t WHERE t.parent IS NULL
        UNION ALL
        SELECT t.node, t.operation, t.operation IN wanted,
            CASE WHEN path.place = 0 OR (path.place = 1 AND t.operation IN wanted)
                THEN t.operation IN wanted ELSE 2 END,
            path.operation, path.place, t.calls, t.total, t.self
        FROM path CROSS JOIN temp.tally_tree AS t ON t.parent = path.node
    ),
    part (relation, operation, calls, total, self) AS MATERIALIZED (
        SELECT 'caller', above, calls, iif(above_place = 0, total, NULL), self
        FROM path WHERE is_wanted AND (calls > 0 OR self IS NOT NULL)
        UNION ALL
        SELECT 'function', operation, calls, iif(above_place = 0, total, NULL), self
        FROM path WHERE is_wanted AND (calls > 0 OR self IS NOT NULL)
        UNION ALL
        SELECT 'callee', operation, calls, iif(above_place = 1 AND NOT is_wanted, total, NULL), self
        FROM path WHERE above IN wanted AND (calls > 0 OR self IS NOT NULL)
    )
