-- report: durability
-- page: 53
-- question: What would a power cut have lost?
-- title: What was on disk, by file
-- kinds: calls
-- needs: flags=call
-- needs: object=file
-- needs: value=result
-- options: at filesystem
-- tally: durability
-- plot: none
-- prose: state
-- fact: times columns last_write synced_after exposed longest
-- worth: state exposed synced_after written longest last_write
-- column: file path - - the file or folder; none for descriptors of unknown files
-- column: written bytes bytes - bytes written
-- column: last_write time s - time of the last write or change of length, since the start of the trace
-- column: synced_after duration ns less time from the last write to the end of a sync that covers it
-- column: exposed duration ns less time that some data of the file was not on disk
-- column: longest duration ns less the longest time from a write to the end of its sync, or to the file's removal
-- column: state text - - durable, data exposed, name exposed, replaced by an unsynced file, unknown, lost or removed, and why
-- column: trace text - if several - the trace
-- key: file
-- blank: file
-- compare: rows key=file,state value=written,exposed,longest alone
--
-- Row per name that was written, created, linked, renamed or removed, as of the end of the log or
-- of --at. The reasons of verdicts follow.
WITH
-- Texts for the states and reasons of temp.durability_file: `words`, `reasons`.
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
        (15, 'calls whose file the log does not tell'),
        (16, 'a syncfs failed, which does not tell of which files'),
        (17, 'a sync of its folder failed')
)
SELECT f.file, f.written, f.last_write, f.synced_after, f.exposed, f.longest,
    w.text || ifnull(' (' || r.text || ')', '')
        || iif(f.state IN (1, 3, 4, 5), ifnull('; name exposed (' || n.text || ')', ''), ''),
    t.name
FROM temp.durability_file AS f
JOIN main.trace AS t ON t.id = f.trace
CROSS JOIN words AS w ON w.state = f.state
LEFT JOIN reasons AS r ON r.reason = f.reason
LEFT JOIN reasons AS n ON n.reason = f.name
ORDER BY w.place, f.bytes DESC, f.file
LIMIT ifnull(:rows, -1);
-- remark
WITH counted AS (
    SELECT ifnull(sum(state = 0), 0) AS durable, ifnull(sum(state IN (1, 3)), 0) AS data,
        ifnull(sum(state = 2), 0) AS names, ifnull(sum(state = 4), 0) AS unknown, ifnull(sum(state = 5), 0) AS lost,
        ifnull(sum(state = 6), 0) AS removed, max(longest) AS longest
    FROM temp.durability_file
),
at_risk AS (
    SELECT ifnull(sum(bytes), 0) AS bytes FROM (SELECT max(trace_bytes) AS bytes FROM temp.durability_file GROUP BY trace)
),
clocks AS (
    SELECT min(t.clock_unit = 'ns' AND NOT EXISTS (SELECT 1 FROM main.meaning AS m
        WHERE m.trace = s.trace AND m."column" = '' AND m.what = 'no times')) AS timed
    FROM temp.selection AS s CROSS JOIN main.trace AS t ON t.id = s.trace
),
syncs AS (
    SELECT ifnull(sum(syncs), 0) AS vain, sum_time(duration) AS time FROM temp.durability_sync_count WHERE outcome = 1
)
SELECT printf('files: %d on disk (durable), %d with data not synced, %d with only names not synced, %d unknown, %d with a failed sync, %d removed;'
    || ' %s not on disk%s; %s that had nothing to write%s',
    durable, data, names, unknown, lost, removed, counted(bytes, 'byte{s}'),
    iif(longest > 0 AND timed, '; longest time not on disk ' || people(longest, 'duration', 'ns'), ''), counted(vain, 'sync{s}'),
    iif(time > 0, ' (' || people(time, 'duration', 'ns') || ')', ''))
FROM counted, at_risk, clocks, syncs;
-- remark
-- What the verdicts of temp.durability_file depend on, by trace.
SELECT iif((SELECT count(*) FROM temp.selection) > 1, t.name || ': ', '')
    || 'the states of files are certain unless ' || group_concat(d.text, ', or ')
FROM (
    SELECT s.trace, 1 AS place, iif(t.rejected = 1, 'the rejected line says otherwise',
        printf('one of %d rejected lines says otherwise', t.rejected)) AS text
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
            'one of the results that strace injected was on that file')
    FROM temp.selection AS s
    CROSS JOIN main.remark AS r ON r.trace = s.trace
        AND (r.text LIKE 'calls were left out%' OR r.text LIKE '% that strace injected%')
    UNION ALL SELECT s.trace, 4, 'syncs were left out of the log'
    FROM temp.selection AS s
    WHERE NOT EXISTS (SELECT 1 FROM main.name AS n WHERE n.trace = s.trace
        AND n.text IN ('fsync', 'fdatasync', 'sync', 'syncfs', 'msync', 'sync_file_range'))
    UNION ALL SELECT s.trace, 5, 'opens were left out of the log'
    FROM temp.selection AS s
    WHERE NOT EXISTS (SELECT 1 FROM main.name AS n WHERE n.trace = s.trace AND n.text IN ('open', 'openat', 'openat2', 'creat'))
    UNION ALL SELECT s.trace, 6, 'one of the calls whose file is unknown was on that file'
    FROM temp.selection AS s
    WHERE EXISTS (SELECT 1 FROM temp.durability_file AS f WHERE f.trace = s.trace AND f.file IS NULL)
    UNION ALL SELECT s.trace, 7, 'a call that others interrupt ended after later calls'
    FROM temp.selection AS s CROSS JOIN main.trace AS t ON t.id = s.trace AND t.merged > 0
    WHERE EXISTS (SELECT 1 FROM main.meaning AS m WHERE m.trace = s.trace AND m."column" = '' AND m.what = 'no times')
        OR NOT EXISTS (SELECT 1 FROM main.event AS e
            WHERE e.id BETWEEN s.first_event AND s.last_event AND e.time % 1000000000 <> 0)
    UNION ALL SELECT s.trace, 8, 'one of the mounts in the log hides or shows another file of that path'
    FROM temp.selection AS s
    WHERE EXISTS (SELECT 1 FROM main.name AS n WHERE n.trace = s.trace
        AND n.text IN ('mount', 'move_mount', 'pivot_root', 'setns', 'umount', 'umount2'))
    UNION ALL SELECT s.trace, 9, 'an io_uring changed a name, which the log does not show'
    FROM temp.selection AS s
    WHERE EXISTS (SELECT 1 FROM main.name AS n WHERE n.trace = s.trace AND (n.text = 'io_uring_enter' OR n.text = 'io_uring_setup'
        AND EXISTS (SELECT 1 FROM main.remark AS r WHERE r.trace = s.trace AND r.text LIKE '%of io_uring%')))
    ORDER BY 1, 2
) AS d
CROSS JOIN main.trace AS t ON t.id = d.trace
GROUP BY d.trace;
-- include: durability-remarks
