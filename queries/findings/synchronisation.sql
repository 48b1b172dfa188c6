-- report: findings
-- title: time in syncs
-- kinds: calls
-- fact: times report
-- tally: thread_found
-- weight: weight time
-- say: {thread} spent {time}, {value} of its time, in {calls} {noun}[; most of it, {of_file}, for {file}][ (SQLite: {mode})]
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
-- or a journal. Of a thread with one call, which is its whole time, the share is unknown.
WITH worst AS MATERIALIZED (
    SELECT actor, syncs AS calls, sync_time AS time,
        iif(syncs = 1 AND sync_time >= last - first, NULL, last - first) AS life
    FROM temp.thread_found
    WHERE sync_time IS NOT NULL OR actor = (SELECT min(actor) FROM temp.thread_sync)
    ORDER BY time IS NULL, life IS NULL, time DESC, actor
    LIMIT 1
),
file AS MATERIALIZED (
    SELECT o.name, sum_time(s.time) AS time
    FROM temp.thread_sync AS s
    JOIN main.object AS o ON o.id = s.object
    WHERE s.actor = (SELECT actor FROM worst) AND o.name IS NOT NULL
    GROUP BY o.name
    ORDER BY 2 DESC, 1
)
SELECT 1.0 * w.time / nullif(w.life, 0) > :synchronisation_share AS fires, 1.0 * w.time / nullif(w.life, 0) AS value, :synchronisation_share AS threshold,
    min(1.0, 1.0 * w.time / (SELECT nullif(max(last) - min(first), 0) FROM temp.thread_found)) AS weight,
    ifnull(a.label, 'a thread') AS thread, w.calls, iif(w.calls = 1, 'sync', 'syncs') AS noun, w.time, f.name AS file, f.time AS of_file,
    (SELECT CASE WHEN sum(name LIKE '%-wal') THEN iif(sum(name LIKE '%-journal'), 'a rollback journal and a WAL', 'mode WAL')
        WHEN sum(name LIKE '%-journal') THEN 'a rollback journal' END
        FROM file) AS mode
FROM worst AS w
LEFT JOIN temp.thread_label AS a ON a.id = w.actor
LEFT JOIN (SELECT * FROM file LIMIT 1) AS f ON 2 * f.time > w.time
