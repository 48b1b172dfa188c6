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
    SELECT actor, ran, dense_rank() OVER (ORDER BY running DESC, label) AS rank
    FROM (
        SELECT t.actor, a.label, total(t.running) OVER threads AS running, max(t.ran) OVER threads AS ran
        FROM (
            SELECT s.actor, sum_time(iif(n.text = 'running', s.time, 0)) AS running, max(n.text = 'running') AS ran
            FROM temp.tally_state AS s
            JOIN main.name AS n ON n.id = s.operation
            WHERE n.kind = 'state' AND :picture
            GROUP BY s.actor
        ) AS t
        JOIN temp.thread AS a ON a.id = t.actor
        WINDOW threads AS (PARTITION BY a.label)
    )
),
parts AS (
    SELECT x.time, x.duration, x.actor, x.operation, x.processor
    FROM temp.tally_state_edge AS x
    WHERE x.earlier
    UNION ALL
    SELECT e.time, ifnull((SELECT x.duration FROM temp.tally_state_edge AS x WHERE x.id = +e.id), e.duration),
        e.actor, e.operation, e.value
    FROM temp.selected_event AS e
)
SELECT p.time, p.duration, a.label AS thread, n.text AS state, iif(l.of_thread, NULL, p.processor) AS processor,
    iif(l.of_thread, r.rank, NULL) AS rank, n.text = 'running' AS runs, (SELECT max(rank) FROM ranks WHERE rank <= 40 OR ran) AS ran
FROM parts AS p
CROSS JOIN main.name AS n ON n.id = p.operation
LEFT JOIN temp.thread AS a ON a.id = p.actor
-- GROUP BY: SQLite builds no index on results of window functions.
LEFT JOIN (SELECT actor, max(rank) AS rank FROM ranks WHERE rank <= 40 GROUP BY actor) AS r ON r.actor = p.actor
-- Lines of the picture. A report has rows like those of processors, but of all states.
CROSS JOIN (SELECT 0 AS of_thread UNION ALL SELECT 1 WHERE :picture) AS l
WHERE n.kind = 'state' AND (:picture IS NULL OR iif(l.of_thread, r.rank <= 40, n.text = 'running' AND p.processor IS NOT NULL))
LIMIT ifnull(:top, -1);
