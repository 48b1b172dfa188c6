-- Behind a WITH that has counted(name, count): the rows of a popularity, the most frequent first.
SELECT
    -- include: popularity
FROM counted
WINDOW popular AS (ORDER BY count DESC, name)
ORDER BY rank
LIMIT ifnull(:rows, -1);
