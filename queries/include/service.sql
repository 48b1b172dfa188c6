    -- CTEs on the methods :begin and :end. `method`: names that are either, with their class.
    -- `moment`: entries of :begin and exits of :end; without calls made by the same method of a
    -- subclass. `numbered`: these, with the largest excess of ends over beginnings so far
    -- (`strays`), and their numbers of beginnings and ends within the component.
    named AS (
        SELECT n.id, ifnull(c.text, '') AS component,
            iif(instr(n.text, '('), substr(n.text, 1, instr(n.text, '(') - 1), n.text) AS text
        FROM temp.selection AS s
        CROSS JOIN main.name AS n ON n.trace = s.trace
        LEFT JOIN main.name AS c ON c.id = n.component
    ),
    method AS MATERIALIZED (
        SELECT m.id, m.component, m.text = :end AS is_end
        FROM (SELECT id, component, iif(component <> '' AND instr(text, component || '.') = 1,
            substr(text, length(component) + 2), text) AS text FROM named) AS m
        WHERE m.text IN (:begin, :end)
    ),
    moment AS MATERIALIZED (
        SELECT e.trace, e.id, m.component, m.is_end, a.pid,
            e.time + iif(m.is_end, ifnull(e.duration, 0), 0) AS time
        FROM temp.selected_event AS e
        CROSS JOIN method AS m ON m.id = e.operation
        LEFT JOIN main.actor AS a ON a.id = e.actor
        LEFT JOIN main.event AS p ON p.id = e.parent
        LEFT JOIN method AS c ON c.id = p.operation
        WHERE span_is_call(e.flags) AND m.is_end IS NOT c.is_end
    ),
    counted AS (
        SELECT *, sum(is_end) OVER so_far AS ends, sum(1 - is_end) OVER so_far AS begins
        FROM moment
        WINDOW so_far AS (PARTITION BY trace, pid, component ORDER BY time, id
            ROWS UNBOUNDED PRECEDING)
    ),
    numbered AS MATERIALIZED (
        SELECT *, max(0, max(ends - begins) OVER so_far) AS strays
        FROM counted
        WINDOW so_far AS (PARTITION BY trace, pid, component ORDER BY time, id
            ROWS UNBOUNDED PRECEDING)
    ),
    -- A beginning and its end have the same number. A stray end has the number of the end before
    -- it, or 0, so that the first of equal ends counts.
    served AS (
        SELECT trace, pid, component, max(iif(is_end, NULL, id)) AS id,
            max(iif(is_end, NULL, time)) AS start, min(iif(is_end, time, NULL)) AS end
        FROM numbered
        GROUP BY trace, pid, component, iif(is_end, ends - strays, begins)
        HAVING NOT min(is_end)
    )
