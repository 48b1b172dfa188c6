    -- The rows of temp.tally_tree, depth first: siblings by what their subtrees take, then by name.
    tree (depth, subtree, name, code, node, calls, total, self) AS (
        SELECT 0, t.subtree, n.text, n.code, t.node, t.calls, t.total, t.self
        FROM temp.tally_tree AS t
        JOIN main.name AS n ON n.id = t.operation
        WHERE t.parent IS NULL
        UNION ALL
        SELECT tree.depth + 1, t.subtree, n.text, n.code, t.node, t.calls, t.total, t.self
        FROM tree
        CROSS JOIN temp.tally_tree AS t ON t.parent = tree.node
        CROSS JOIN main.name AS n ON n.id = t.operation
        -- The deepest of what is found and not yet a row comes next.
        ORDER BY 1 DESC, 2 DESC, 3, 4
    )
