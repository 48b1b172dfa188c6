-- `ranked`: operations of all events and of the sample, by rank.
sampled AS MATERIALIZED (
    SELECT operation, count(*) AS count
    FROM (
        SELECT operation, number, (h * h + number * 69621 + 12345) % 2147483647 AS h
        FROM (
            SELECT operation, number, (h * h + number) % 2147483647 AS h
            FROM (
                SELECT operation, number,
                    ((number + 1) % 2147483647 * 48271 + (ifnull(:draw, 0) % 65536) * 7919 + 1) % 2147483647 AS h
                FROM (
                    SELECT e.operation, row_number() OVER (ORDER BY e.id) - 1 AS number
                    FROM temp.selected_event AS e
                    WHERE e.operation IN (
                            SELECT t.operation FROM temp.tally_operation AS t
                            JOIN main.name AS n ON n.id = t.operation
                            WHERE n.kind NOT IN ('error', 'class', 'component')
                        )
                        -- of functions only calls, no data records and exits without an entry
                        AND iif((SELECT min(t.kind) FROM temp.selection AS s JOIN main.trace AS t ON t.id = s.trace) = 'spans',
                            span_is_call(e.flags), 1)
                )
            )
        )
    )
    WHERE iif(:draw IS NULL, number, h) % max(:every, 1) = 0
    GROUP BY operation
),
counted AS MATERIALIZED (
    SELECT n.kind, n.text AS name, n.code, sum(t.count) AS count, sum(ifnull(s.count, 0)) AS sampled
    FROM (SELECT operation, sum(count) AS count FROM temp.tally_operation GROUP BY operation) AS t
    LEFT JOIN sampled AS s ON s.operation = t.operation
    LEFT JOIN temp.merged_operation AS m ON m.id = t.operation
    JOIN main.name AS n ON n.id = ifnull(m.merged, t.operation)
    GROUP BY n.kind, n.text, n.code
    HAVING sum(t.count) > 0
),
ranked AS MATERIALIZED (
    SELECT
        row_number() OVER popular AS rank,
        name,
        count,
        1.0 * count / (SELECT sum(count) FROM counted) AS share,
        1.0 * sum(count) OVER (popular ROWS UNBOUNDED PRECEDING) / (SELECT sum(count) FROM counted)
            AS cumulative,
        sampled,
        1.0 * sampled / nullif((SELECT sum(sampled) FROM counted), 0) AS sample_share,
        1.0 * sum(sampled) OVER (popular ROWS UNBOUNDED PRECEDING)
            / nullif((SELECT sum(sampled) FROM counted), 0) AS sample_cumulative
    FROM counted
    WINDOW popular AS (ORDER BY count DESC, name, code)
)
