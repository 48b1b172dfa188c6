-- trace: most-binary
-- report: locality
-- columns: class sequential random
-- reads: all
WITH successive AS (
    SELECT is_write, address,
        lag(address + size / 512) OVER (PARTITION BY is_write ORDER BY id) AS follows
    FROM (SELECT id, (flags & 7) IN (2, 3) AS is_write, address, size FROM event)
)
SELECT
    CASE WHEN is_write THEN 'write' ELSE 'read' END,
    sum(CASE WHEN address = follows THEN 1 ELSE 0 END),
    sum(CASE WHEN address = follows THEN 0 ELSE 1 END)
FROM successive
GROUP BY is_write;
