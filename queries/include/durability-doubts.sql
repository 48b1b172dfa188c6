-- Texts for temp.durability_file, and the reasons and doubts of its verdicts, by trace: `words`,
-- `reasons`, `doubts`.
words (state, place, text) AS (
    VALUES (5, 0, 'lost'), (3, 1, 'replaced by an unsynced file'), (1, 2, 'data exposed'), (4, 3, 'unknown'),
        (2, 4, 'name exposed'), (0, 5, 'durable'), (6, 6, 'removed')
),
reasons (reason, text) AS (
    VALUES (1, 'created; folder not synced since'), (2, 'linked; folder not synced since'),
        (3, 'renamed; folder not synced since'), (4, 'removed; folder not synced since: it may come back'),
        (5, 'moved away; folder not synced since: it may come back'),
        (6, 'a folder above it is not on disk'),
        (7, 'mapped: what was written there is in no log'), (8, 'io_uring or libaio: its writes are not in the log'),
        (9, 'a call that changes it has no end in the log'), (10, 'linked from a descriptor'),
        (11, 'mapped: as of its last msync'), (12, 'if it is on the file system of the syncfs'),
        (13, 'a write has no end in the log'), (14, 'and not synced since'),
        (15, 'descriptors whose file the log does not tell')
),
doubts (trace, doubt) AS MATERIALIZED (
    SELECT trace, ', unless ' || group_concat(text, ', ')
    FROM (
        SELECT s.trace, 1 AS place, printf('one of %d rejected lines says otherwise', t.rejected) AS text
        FROM temp.selection AS s CROSS JOIN main.trace AS t ON t.id = s.trace WHERE t.rejected > 0
        UNION ALL SELECT s.trace, 2, 'a call that the filter leaves out says otherwise'
        FROM temp.selection AS s CROSS JOIN main.trace AS t ON t.id = s.trace
        WHERE s.filtered OR s.first_event > t.first_event
        UNION ALL SELECT s.trace, 3, 'a process that was not followed (strace -f) says otherwise'
        FROM temp.selection AS s
        WHERE EXISTS (SELECT 1 FROM main.remark AS r WHERE r.trace = s.trace AND r.text LIKE '%strace -f follows them%')
        UNION ALL SELECT s.trace, iif(r.text LIKE 'calls were left out%', 2, 4),
            iif(r.text LIKE 'calls were left out%', 'a call that the log leaves out says otherwise',
                'one of the results that strace injected is of it')
        FROM temp.selection AS s
        CROSS JOIN main.remark AS r ON r.trace = s.trace
            AND (r.text LIKE 'calls were left out%' OR r.text LIKE '% results that strace injected%')
        UNION ALL SELECT s.trace, 4, 'syncs were left out of the log'
        FROM temp.selection AS s
        WHERE NOT EXISTS (SELECT 1 FROM temp.durability_sync AS y WHERE y.trace = s.trace)
        UNION ALL SELECT s.trace, 5, 'opens were left out of the log'
        FROM temp.selection AS s
        WHERE NOT EXISTS (SELECT 1 FROM main.name AS n WHERE n.trace = s.trace AND n.text IN ('open', 'openat', 'openat2', 'creat'))
        UNION ALL SELECT s.trace, 6, 'one of the writes without a file is of it'
        FROM temp.selection AS s
        WHERE EXISTS (SELECT 1 FROM temp.durability_file AS f WHERE f.trace = s.trace AND f.file IS NULL)
        ORDER BY 1, 2
    )
    GROUP BY trace
)
