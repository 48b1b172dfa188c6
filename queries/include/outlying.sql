-- `kept`: traces without the `gone` events at their ends, at most seven at either, that are more
-- than a day from the next event.
front (trace, id, last, gone) AS (
    SELECT s.trace, s.first_event, s.last_event, 0
    FROM temp.selection AS s
    CROSS JOIN main.trace AS t ON t.id = s.trace
    WHERE t.clock_unit = 'ns' AND t.clocks <> '' AND s.first_event < s.last_event
    UNION ALL
    SELECT f.trace, f.id + 1, f.last, f.gone + 1
    FROM front AS f
    CROSS JOIN main.event AS a ON a.id = f.id
    CROSS JOIN main.event AS b ON b.id = f.id + 1
    WHERE f.id < f.last AND f.gone < 8 AND b.time - a.time > 24 * 3600 * 1000000000
),
back (trace, first, id, gone) AS (
    SELECT trace, id, last, 0 FROM front WHERE gone = 0
    UNION ALL
    SELECT k.trace, k.first, k.id - 1, k.gone + 1
    FROM back AS k
    CROSS JOIN main.event AS a ON a.id = k.id - 1
    CROSS JOIN main.event AS b ON b.id = k.id
    WHERE k.id > k.first AND k.gone < 8 AND b.time - a.time > 24 * 3600 * 1000000000
),
kept AS (
    SELECT f.trace, f.first, k.last, f.gone + k.gone AS gone
    FROM (SELECT trace, max(id) AS first, max(gone) AS gone FROM front GROUP BY trace) AS f
    JOIN (SELECT trace, min(id) AS last, max(gone) AS gone FROM back GROUP BY trace) AS k
        ON k.trace = f.trace
    WHERE f.gone + k.gone > 0 AND max(f.gone, k.gone) < 8 AND f.first < k.last
)
