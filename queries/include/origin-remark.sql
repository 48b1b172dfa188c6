-- remark definition
-- Sources of the processes of I/Os, from temp.tally_origin, which `tally:` must name.
WITH
followed AS (
    SELECT io_origin(t.origin) AS origin, sum(t.count) AS count
    FROM temp.selection AS s
    CROSS JOIN temp.tally_origin AS t ON t.trace = s.trace
    CROSS JOIN main.meaning AS m ON m.trace = s.trace AND m."column" = 'issuer'
    GROUP BY 1
),
phrase (place, origin, text) AS (VALUES
    (1, 'queued', 'queue (Q): %d'),
    (2, 'issued', 'issue (D): %d'),
    (3, 'completed', 'completion (C): %d'),
    (4, 'unknown', 'unknown: %d')
)
SELECT 'I/Os by the event that names their process: ' || group_concat(text, ', ')
FROM (
    SELECT printf(p.text, ifnull(f.count, 0)) AS text
    FROM phrase AS p
    LEFT JOIN followed AS f ON f.origin = p.origin
    WHERE f.count > 0 OR (p.origin <> 'unknown' AND EXISTS (SELECT 1 FROM followed))
    ORDER BY p.place
)
HAVING count(*) > 0;
-- remark definition
SELECT 'merged from several processes: ' || counted(sum(count), 'I/O{s}; each counts for the process of its first sectors, '
    || 'a flush for the process that waited longest')
FROM temp.tally_origin
WHERE io_flag(origin, 'shared')
HAVING sum(count) > 0;
