-- report: findings
-- title: one processor full, the others idle
-- kinds: states
-- tally: state_interval
-- weight: value time
-- say: processor {processor} was busy and the others were mostly idle for {time} of {all_time}
-- look: report cpu
-- why: The work runs in one thread, or is bound to one processor.
-- unless: There is only one task.
-- source: tracetool's own choice; no published threshold is known.
-- parameter: processor-full-share real 0.1 "share of the time"
-- parameter: processor-full-busy real 0.95 "a processor is busy in an interval if it runs for this share of it …"
-- parameter: processor-full-idle real 0.5 "… and others are idle in it if they do nothing for more than this share"
-- column: fires int
-- column: value share
-- column: threshold share
-- column: processor number
-- column: time duration
-- column: all_time duration
-- Evaluates at most a hundred intervals. Time in which a processor's state is unknown is neither busy nor idle.
WITH part AS MATERIALIZED (
    SELECT t.interval, t.processor, total(iif(n.kind = 'processor', 0, t.time)) AS busy,
        total(iif(n.kind = 'processor', t.time, 0)) AS idle
    FROM temp.tally_state AS t
    JOIN main.name AS n ON n.id = t.operation
    WHERE n.kind = 'processor' OR n.text = 'running'
    GROUP BY t.interval, t.processor
),
summed AS MATERIALIZED (
    SELECT interval, total(idle) AS idle, max(busy + idle) AS length, count(*) - 1 AS others FROM part GROUP BY interval
),
full AS (
    SELECT p.processor, total(s.length) AS time
    FROM part AS p
    JOIN summed AS s ON s.interval = p.interval
    WHERE p.busy >= :processor_full_busy * s.length AND s.others > 0
        AND s.idle - p.idle > :processor_full_idle * s.length * s.others
    GROUP BY p.processor
    ORDER BY 2 DESC, 1
    LIMIT 1
),
total AS (
    SELECT total(length) AS time FROM summed
)
SELECT ifnull(f.time, 0) / t.time > :processor_full_share AS fires, ifnull(f.time, 0) / t.time AS value,
    :processor_full_share AS threshold, f.processor, CAST(f.time AS INTEGER) AS time,
    CAST(t.time AS INTEGER) AS all_time
FROM total AS t
LEFT JOIN full AS f
WHERE t.time > 0
