-- report: findings
-- title: sleeps between calls on one file
-- kinds: calls
-- fact: file-names report
-- fact: times report
-- tally: sleep thread_found
-- weight: weight time
-- say: {thread} slept {sleeps} {noun} between two calls on {file}, {time} in all, {value} of its time
-- look: report waits
-- why: The program polls for something that a call could wait for.
-- unless: The thread is meant to work at intervals.
-- source: tracetool's own choice; no published threshold is known.
-- parameter: sleeps-share real 0.1 "share of a thread's time"
-- parameter: sleeps-count integer 10 "least number of sleeps"
-- column: fires int
-- column: value share
-- column: threshold share
-- column: weight share
-- column: thread text
-- column: sleeps int
-- column: noun text
-- column: file path
-- column: time duration
-- Chooses the firing thread and object with the longest sleeps, else those with the largest share
-- of the thread's time. Objects of the same name are one file.
WITH life AS MATERIALIZED (
    SELECT actor, last - first AS time
    FROM temp.thread_found
    WHERE actor IN (SELECT actor FROM temp.tally_sleep)
),
item AS (
    SELECT t.actor, o.name, sum(t.sleeps) AS sleeps, nullif(sum_time(t.time), 0) AS time
    FROM temp.tally_sleep AS t
    JOIN main.object AS o ON o.id = t.object
    WHERE o.name IS NOT NULL
    GROUP BY t.actor, o.name
),
judged AS (
    SELECT i.*, 1.0 * i.time / l.time AS value,
        1.0 * i.time / l.time > :sleeps_share AND i.sleeps >= :sleeps_count AS fires
    FROM item AS i
    JOIN life AS l ON l.actor = i.actor
    WHERE l.time > 0
)
SELECT j.fires, j.value, :sleeps_share AS threshold,
    min(1.0, 1.0 * j.time / (SELECT nullif(max(last) - min(first), 0) FROM temp.thread_found)) AS weight,
    ifnull(a.label, 'a thread') AS thread, j.sleeps,
    iif(j.sleeps = 1, 'time', 'times') AS noun, j.name AS file, j.time
FROM judged AS j
LEFT JOIN temp.thread_label AS a ON a.id = j.actor
ORDER BY j.fires DESC, iif(j.fires, j.time, j.value) DESC, a.label, j.name
LIMIT 1
