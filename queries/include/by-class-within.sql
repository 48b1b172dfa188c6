-- Aggregates `item` (container, name, class, count, bytes) to one row per name and container. The
-- columns of by-class-columns.sql follow these two; shares are within the container.
counted AS (
    SELECT
        container,
        name,
        sum(bytes) AS bytes,
        -- include: class-counts
    FROM item
    GROUP BY container, name
)
SELECT
    container,
    name,
    -- include: class-shares
FROM counted
WINDOW whole AS (PARTITION BY container)
ORDER BY container, total DESC, name;
