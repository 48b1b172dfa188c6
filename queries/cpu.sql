-- report: cpu
-- question: What did the processors do?
-- part: over-time
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
-- part: main interval
-- page: 13
-- title: Time on processors
-- kinds: states
-- plot: none
-- part: main
-- worth: busy share process interrupts
-- tally: state
-- key: processor process
-- part: interval
-- title: Time on processors, by interval
-- worth: busy share process time
-- when: interval
-- options: interval
-- tally: state_interval
-- key: time processor process
-- column: time time s - time since the start of the trace; for an interval, its start
-- part: main interval
-- column: processor number - - its number
-- column: process text - - the process that ran; none: the processor was idle
-- column: busy duration ns less time
-- column: share share fraction less share of the recorded time of the processor
-- part: main
-- column: interrupts duration ns less part of it spent in interrupts
-- compare: rows value=busy,interrupts
-- part: interval
-- compare: rows value=busy
-- part: over-time
WITH ran AS MATERIALIZED (
    SELECT t.interval, t.processor, sum_time(t.time) AS covered, sum_time(iif(n.kind = 'processor', 0, t.time)) AS busy
    FROM temp.tally_state AS t
    JOIN main.name AS n ON n.id = t.operation
    WHERE n.kind = 'processor' OR n.text = 'running'
    GROUP BY t.interval, t.processor
),
-- The share is unknown for intervals that the log covers only partly, at its end or around losses.
covered AS MATERIALIZED (
    SELECT interval, processor, busy, covered
    FROM ran
    WHERE 20.0 * covered >= (SELECT max(covered) FROM ran)
),
ranked AS MATERIALIZED (
    SELECT processor, row_number() OVER (ORDER BY total(busy) DESC, processor) AS rank
    FROM covered
    GROUP BY processor
)
SELECT r.interval, 'processor ' || r.processor, r.busy / nullif(1.0 * r.covered, 0), k.rank
FROM covered AS r
JOIN ranked AS k ON k.processor = r.processor
ORDER BY r.interval, k.rank;
-- part: main interval
WITH ran AS MATERIALIZED (
    SELECT
        t.processor,
        iif(n.kind = 'processor', NULL, a.label) AS process,
-- part: interval
        t.interval,
-- part: main interval
        sum_time(t.time) AS busy,
        sum_time(t.interrupts) AS interrupts
    FROM temp.tally_state AS t
    JOIN main.name AS n ON n.id = t.operation
    LEFT JOIN temp.process AS a ON a.id = t.actor
    WHERE n.kind = 'processor' OR n.text = 'running'
    GROUP BY
        t.processor,
-- part: interval
        t.interval,
-- part: main interval
        2
)
SELECT
-- part: interval
    interval AS time,
-- part: main interval
    processor, process, busy,
-- part: main
    busy / nullif(total(busy) OVER (PARTITION BY processor), 0.0) AS share,
    interrupts
FROM ran AS r
ORDER BY processor, busy DESC, process
-- part: interval
    busy / nullif(total(busy) OVER (PARTITION BY processor, interval), 0.0) AS share
FROM ran AS r
ORDER BY r.interval, processor, busy DESC, process
-- part: main interval
LIMIT ifnull(:rows, -1);
-- remark definition
SELECT 'idle time of a processor: the row without a process; interrupts are time of what they interrupt';
-- remark
SELECT printf('frequencies of the processors: report counters, of trace %s', s.name)
FROM temp.selection AS x
CROSS JOIN main.trace AS t ON t.id = x.trace
CROSS JOIN main.trace AS s ON s.log = t.log AND s.kind = 'samples'
WHERE EXISTS (SELECT 1 FROM main.name AS n WHERE n.trace = s.id AND n.text = 'cpu_frequency')
LIMIT 1;
