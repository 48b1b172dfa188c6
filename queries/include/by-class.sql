-- Of the rows of `item` (name, class, count, bytes) one for each name, with the columns of
-- by-class-columns.sql behind the name.
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
