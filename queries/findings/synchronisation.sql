-- report: findings
-- title: synchronisation
-- kinds: calls
-- tally: call
-- weight: weight time
-- say: {thread} was {time} in {calls} {noun} that put files on disk, {value} of its time[; {file} took most of it, {of_file}]
-- look: report waits
-- why: The thread does nothing else until the device has written.
-- unless: The thread is there for that, and nobody waits for it.
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
-- The thread of which they take most, of its time from its first call to its last.
WITH life AS (
    SELECT actor, max(last) - min(first) AS time FROM temp.tally_call GROUP BY actor
),
sync AS MATERIALIZED (
    SELECT t.actor, t.object, t.calls, t.total
    FROM temp.tally_call AS t
    JOIN main.name AS n ON n.id = t.operation
    WHERE n.text IN ('fsync', 'fdatasync', 'sync', 'syncfs', 'sync_file_range', 'msync') AND t.total IS NOT NULL
),
by_thread AS (
    SELECT s.actor, sum(s.calls) AS calls, sum_time(s.total) AS time, l.time AS life
    FROM sync AS s
    JOIN life AS l ON l.actor = s.actor
    GROUP BY s.actor
),
worst AS (
    SELECT *, 1.0 * time / nullif(life, 0) AS value FROM by_thread ORDER BY time DESC, actor LIMIT 1
),
file AS (
    SELECT o.name, sum_time(s.total) AS time
    FROM sync AS s
    JOIN main.object AS o ON o.id = s.object
    WHERE s.actor = (SELECT actor FROM worst) AND o.name IS NOT NULL
    GROUP BY o.name
    ORDER BY 2 DESC, 1
    LIMIT 1
)
SELECT w.value > :synchronisation_share AS fires, w.value, :synchronisation_share AS threshold,
    min(1.0, 1.0 * w.time / (SELECT nullif(max(last) - min(first), 0) FROM temp.tally_call)) AS weight,
    ifnull(a.label, 'a thread') AS thread, w.calls, iif(w.calls = 1, 'call', 'calls') AS noun, w.time, f.name AS file, f.time AS of_file
FROM worst AS w
LEFT JOIN temp.thread AS a ON a.id = w.actor
LEFT JOIN file AS f
