-- trace: most
-- report: locality
-- columns: class sequential random
WITH successive AS (
    SELECT is_write, sector,
        lag(sector + bytes / 512) OVER (PARTITION BY is_write ORDER BY time) AS follows
    FROM (SELECT time, class LIKE 'write%' AS is_write, sector, bytes FROM io) AS directed
)
SELECT
    CASE WHEN is_write THEN 'write' ELSE 'read' END,
    sum(CASE WHEN sector = follows THEN 1 ELSE 0 END),
    sum(CASE WHEN sector = follows THEN 0 ELSE 1 END)
FROM successive
GROUP BY is_write;
