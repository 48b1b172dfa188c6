-- Aggregates `item` (name, class, count, bytes) to one row per name. The columns of
-- by-class-columns.sql follow the name.
counted AS (
    SELECT
        name,
        sum(bytes) AS bytes,
        -- include: class-counts
    FROM item
    GROUP BY name
)
SELECT
    name,
    -- include: class-shares
FROM counted
WINDOW whole AS ()
ORDER BY total DESC, name;
