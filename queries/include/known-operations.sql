-- The operations that there are, with whether they could be logged, and whether they were seen:
-- `known` (format, code, name, category, parameters, returns, unlogged, loggable, seen). Reads the
-- tallies `known` and `operation`.
WITH known AS MATERIALIZED (
    SELECT
        k.*,
        EXISTS (SELECT 1 FROM temp.loggable_operation AS l WHERE l.code = k.code) AS loggable,
        EXISTS (
            SELECT 1 FROM temp.tally_operation AS t
            JOIN main.name AS n ON n.id = t.operation
            WHERE n.code = k.code
        ) AS seen
    FROM temp.known_operation AS k
)
