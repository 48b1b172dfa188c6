-- report: findings
-- title: synchronisation
-- kinds: calls
-- tally: thread_found
-- weight: weight time
-- say: {thread} spent {time}, {value} of its time, in {calls} {noun} that put files on disk[; {file} took most of it, {of_file}][ (SQLite: {mode})]
-- look: report waits
-- why: The thread waits until the device has written the data.
-- unless: Syncing is the task of the thread, and nobody waits for it.
-- source: tracetool's own choice; no published threshold is known.
-- parameter: synchronisation-share real 0.05 "share of a thread's time"
-- column: fires int
-- column: value share
-- column: threshold share
-- column: weight share
-- column: thread text
-- column: calls int
-- column: noun text
-- column: time duration
-- column: file path
-- column: of_file duration
-- column: mode text
-- Chooses the thread with the longest syncs, relative to the time from its first call to its last.
-- Includes writes with O_SYNC or O_DSYNC. The names of synced files show SQLite's mode: a WAL file
-- or a journal.
WITH life AS MATERIALIZED (
    SELECT actor, min(first) AS first, max(last) AS last, max(last) - min(first) AS time
    FROM temp.thread_found
    WHERE operation = 0
    GROUP BY actor
),
sync AS MATERIALIZED (
    SELECT t.actor, t.object, t.calls, t.total
    FROM temp.thread_found AS t
    WHERE t.operation IN (SELECT x.id FROM temp.selection AS s CROSS JOIN main.name AS x ON x.trace = s.trace
        WHERE call_wait(x.text) IS NOT 'lock')
),
by_thread AS (
    SELECT s.actor, sum(iif(s.total IS NULL, 0, s.calls)) AS calls, sum_time(s.total) AS time, l.time AS life
    FROM sync AS s
    JOIN life AS l ON l.actor = s.actor
    GROUP BY s.actor
),
worst AS MATERIALIZED (
    SELECT *, 1.0 * time / nullif(life, 0) AS value FROM by_thread ORDER BY time DESC, actor LIMIT 1
),
file AS MATERIALIZED (
    SELECT o.name, sum_time(s.total) AS time
    FROM sync AS s
    JOIN main.object AS o ON o.id = s.object
    WHERE s.actor = (SELECT actor FROM worst) AND o.name IS NOT NULL
    GROUP BY o.name
    ORDER BY 2 DESC, 1
)
SELECT w.value > :synchronisation_share AS fires, w.value, :synchronisation_share AS threshold,
    min(1.0, 1.0 * w.time / (SELECT nullif(max(last) - min(first), 0) FROM life)) AS weight,
    ifnull(a.label, 'a thread') AS thread, w.calls, iif(w.calls = 1, 'call', 'calls') AS noun, w.time, f.name AS file, f.time AS of_file,
    (SELECT CASE WHEN sum(name LIKE '%-wal') THEN 'mode WAL' WHEN sum(name LIKE '%-journal') THEN 'a rollback journal' END
        FROM file) AS mode
FROM worst AS w
LEFT JOIN temp.thread AS a ON a.id = w.actor
LEFT JOIN (SELECT * FROM file LIMIT 1) AS f
