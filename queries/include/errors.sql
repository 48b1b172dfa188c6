-- Of the rows of `item` (part, operation, error, failed, calls) those that failed, in `failure`, with
-- all calls of the same name and part beside them.
summed AS (
    SELECT i.part, n.text AS name, f.text AS error, i.failed, sum(i.calls) AS count
    FROM item AS i
    JOIN main.name AS n ON n.id = i.operation
    LEFT JOIN main.name AS f ON f.id = i.error
    GROUP BY 1, 2, 3, 4
),
failure AS (
    SELECT *
    FROM (SELECT *, sum(count) OVER (PARTITION BY part, name) AS calls FROM summed)
    WHERE failed
)
