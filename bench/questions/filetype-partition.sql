-- trace: most-binary
-- report: filetype-partition
-- columns: partition file_type count
SELECT
    CASE WHEN e.address < 200000 THEN '/boot' WHEN e.address < 2752512 THEN '/system'
        WHEN e.address < 4186112 THEN '/cache' WHEN e.address < 29186112 THEN '/data'
        ELSE 'unmapped' END,
    o.type, count(*)
FROM event AS e JOIN object AS o ON o.id = e.object
GROUP BY 1, 2;
