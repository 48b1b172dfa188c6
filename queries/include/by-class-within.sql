-- Of the rows of `item` (container, name, class, count, bytes) one for each name within each
-- container, with the columns of by-class-columns.sql behind these two; shares are within it.
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
