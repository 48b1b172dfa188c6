-- report: cpu
-- question: What did the processors do?
-- title: Busy processors over time
-- kinds: states
-- when: picture
-- options: interval
-- tally: state_interval
-- plot: rate-by
-- column: time time s - time since the start of the trace; for an interval, its start
-- column: processor text - - its number
-- column: share share fraction less share of the recorded time of the processor
-- column: rank number if picture
--
WITH ran AS MATERIALIZED (
    SELECT t.interval, t.processor, sum_time(t.time) AS told, sum_time(iif(n.kind = 'processor', 0, t.time)) AS busy
    FROM temp.tally_state AS t
    JOIN main.name AS n ON n.id = t.operation
    WHERE n.kind = 'processor' OR n.text = 'running'
    GROUP BY t.interval, t.processor
),
-- The share is unknown for intervals that the log covers only partly, at its end or around losses.
told AS MATERIALIZED (
    SELECT interval, processor, busy, told
    FROM ran
    WHERE 20.0 * told >= (SELECT max(told) FROM ran)
),
ranked AS MATERIALIZED (
    SELECT processor, row_number() OVER (ORDER BY total(busy) DESC, processor) AS rank
    FROM told
    GROUP BY processor
)
SELECT r.interval, 'processor ' || r.processor, r.busy / nullif(1.0 * r.told, 0), k.rank
FROM told AS r
JOIN ranked AS k ON k.processor = r.processor
ORDER BY r.interval, k.rank;
