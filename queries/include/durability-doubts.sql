-- remark
-- What the verdicts of temp.durability_file depend on, by trace.
SELECT iif((SELECT count(*) FROM temp.selection) > 1, t.name || ': ', '')
    || 'verdicts hold unless ' || group_concat(d.text, ', or ')
FROM (
    SELECT s.trace, 1 AS place, printf('one of %d rejected lines says otherwise', t.rejected) AS text
    FROM temp.selection AS s CROSS JOIN main.trace AS t ON t.id = s.trace WHERE t.rejected > 0
    UNION ALL SELECT s.trace, 1, 'one of the lost events says otherwise'
    FROM temp.selection AS s
    WHERE EXISTS (SELECT 1 FROM main.ledger AS l WHERE l.trace = s.trace AND l.outcome = 'lost')
    UNION ALL SELECT s.trace, 2, 'a call that the filter leaves out says otherwise'
    FROM temp.selection AS s CROSS JOIN main.trace AS t ON t.id = s.trace
    WHERE s.filtered OR s.first_event > t.first_event
    UNION ALL SELECT s.trace, 3, 'a process that was not followed (strace -f) says otherwise'
    FROM temp.selection AS s
    WHERE EXISTS (SELECT 1 FROM main.remark AS r WHERE r.trace = s.trace AND r.text LIKE '%strace -f follows them%')
    UNION ALL SELECT s.trace, iif(r.text LIKE 'calls were left out%', 2, 4),
        iif(r.text LIKE 'calls were left out%', 'a call that the log leaves out says otherwise',
            'one of the results that strace injected is of that file')
    FROM temp.selection AS s
    CROSS JOIN main.remark AS r ON r.trace = s.trace
        AND (r.text LIKE 'calls were left out%' OR r.text LIKE '% results that strace injected%')
    UNION ALL SELECT s.trace, 4, 'syncs were left out of the log'
    FROM temp.selection AS s
    WHERE NOT EXISTS (SELECT 1 FROM temp.durability_sync AS y WHERE y.trace = s.trace)
    UNION ALL SELECT s.trace, 5, 'opens were left out of the log'
    FROM temp.selection AS s
    WHERE NOT EXISTS (SELECT 1 FROM main.name AS n WHERE n.trace = s.trace AND n.text IN ('open', 'openat', 'openat2', 'creat'))
    UNION ALL SELECT s.trace, 6, 'one of the calls without a file is of that file'
    FROM temp.selection AS s
    WHERE EXISTS (SELECT 1 FROM temp.durability_file AS f WHERE f.trace = s.trace AND f.file IS NULL)
    ORDER BY 1, 2
) AS d
CROSS JOIN main.trace AS t ON t.id = d.trace
GROUP BY d.trace;
