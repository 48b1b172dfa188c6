-- events: yes
-- tally: state
-- plot: timeline-states
-- thin: time/600 time+duration/600 rank runs processor weight=duration
-- column: time time s - time since the start of the trace; for an interval, its start
-- column: duration duration ns less duration
-- column: thread text - - the thread
-- column: state text - - running, preempted, woken, sleeping, uninterruptible, …
-- column: processor number - - processor that the thread runs on, or ran on last
-- column: rank number if picture
-- column: runs number if picture
-- column: ran number if picture
--
-- Row per state, by trace and time; in a window, first the states that began before it. States are
-- clipped to the window. A picture has rows of the 40 threads that ran longest, with their rank, and
-- rows of the processors, without it; `ran` is the number of threads, of more than 40 of those
-- that ran. Where several states are at one place, running is apart from the others: it shows when
-- and how long a thread ran there.
WITH
ranks AS MATERIALIZED (
    SELECT a.id AS actor, r.ran, dense_rank() OVER (ORDER BY r.running DESC, a.label) AS rank
    FROM temp.thread AS a
    JOIN (
        SELECT b.label, sum_time(iif(n.text = 'running', t.time, 0)) AS running, max(n.text = 'running') AS ran
        FROM temp.tally_state AS t
        JOIN main.name AS n ON n.id = t.operation
        JOIN temp.thread AS b ON b.id = t.actor
        WHERE n.kind = 'state'
        GROUP BY b.label
    ) AS r ON r.label = a.label
    WHERE :picture
),
parts AS (
    SELECT x.time, x.duration, x.actor, x.operation, x.processor
    FROM temp.tally_state_edge AS x
    WHERE x.earlier
    UNION ALL
    SELECT e.time, ifnull((SELECT x.duration FROM temp.tally_state_edge AS x WHERE x.id = e.id), e.duration),
        e.actor, e.operation, e.value
    FROM temp.selected_event AS e
)
SELECT p.time, p.duration, a.label AS thread, n.text AS state, iif(l.of_thread, NULL, p.processor) AS processor,
    iif(l.of_thread, r.rank, NULL) AS rank, n.text = 'running' AS runs, (SELECT max(rank) FROM ranks WHERE rank <= 40 OR ran) AS ran
FROM parts AS p
CROSS JOIN main.name AS n ON n.id = p.operation
LEFT JOIN temp.thread AS a ON a.id = p.actor
LEFT JOIN ranks AS r ON r.actor = p.actor
-- Lines of the picture. A report has rows like those of processors, but of all states.
CROSS JOIN (SELECT 0 AS of_thread UNION ALL SELECT 1 WHERE :picture) AS l
WHERE n.kind = 'state' AND (:picture IS NULL OR iif(l.of_thread, r.rank <= 40, n.text = 'running' AND p.processor IS NOT NULL))
LIMIT ifnull(:top, -1);
