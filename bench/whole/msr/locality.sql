-- trace: msr
-- report: locality
-- columns: class sequential random
WITH successive AS (
    SELECT class, sector,
        lag(sector + bytes // 512) OVER (PARTITION BY class ORDER BY completed, number) AS follows
    FROM io
)
SELECT class, count(*) FILTER (WHERE sector = follows), count(*) FILTER (WHERE sector IS DISTINCT FROM follows)
FROM successive
GROUP BY class;
