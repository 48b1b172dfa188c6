    -- The rows of temp.tally_tree, depth first: siblings by what their subtrees take, then by name.
    tree (depth, subtree, name, code, node, calls, total, self) AS (
        SELECT t.depth, t.subtree, n.text, n.code, t.node, t.calls, t.total, t.self
        FROM temp.tally_tree AS t
        CROSS JOIN main.name AS n ON n.id = t.operation
        ORDER BY t.place
    )
