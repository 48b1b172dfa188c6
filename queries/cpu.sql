-- report: cpu
-- question: What did the processors do?
-- part: over-time
-- title: Busy processors over time
-- kinds: states
-- instead: waits
-- when: picture
-- options: interval
-- tally: state_interval
-- plot: rate-by
-- column: time time s - time since the start of the trace; for an interval, its start
-- column: processor text - - number of the processor
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
-- column: processor number - - number of the processor
-- column: process text - - the process that ran; none: the processor was idle
-- column: busy duration ns less time
-- column: share share fraction less share of the recorded time of the processor
-- part: main
-- column: interrupts duration ns less part of the busy time spent in interrupts
-- part: main interval
-- column: frequency int kHz - mean frequency of the processor over the time that is reported; none: not known
-- part: main
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
),
-- Samples of a processor's frequency, each valid until the next, and the starts of intervals.
moment AS (
    SELECT DISTINCT w.trace, t.processor, t.interval, w.last, w.length, max(t.interval, w.first) AS time, NULL AS id,
        NULL AS frequency
    FROM temp.tally_state AS t
    JOIN temp.tally_state_window AS w ON w.trace = t.trace
    UNION ALL
    SELECT w.trace, CAST(substr(a.name, 5) AS INTEGER), NULL, w.last, w.length, e.time, e.id, e.value
    FROM temp.tally_state_window AS w
    CROSS JOIN main.trace AS t ON t.id = w.trace
    CROSS JOIN main.trace AS s ON s.log = t.log AND s.kind = 'samples'
    CROSS JOIN main.name AS n ON n.trace = s.id AND n.text = 'cpu_frequency'
    CROSS JOIN main.event AS e ON e.id BETWEEN s.first_event AND s.last_event AND e.operation = n.id
    CROSS JOIN main.actor AS a ON a.id = e.actor AND a.pid IS NULL AND a.name GLOB 'CPU [0-9]*'
),
placed AS (
    SELECT *, max(interval) OVER so_far AS of, count(frequency) OVER so_far AS sample,
        lead(time, 1, last) OVER (PARTITION BY trace, processor ORDER BY time, id) AS next
    FROM moment
    WINDOW so_far AS (PARTITION BY trace, processor ORDER BY time, id ROWS UNBOUNDED PRECEDING)
),
held AS (
    SELECT processor, of, min(next, last, iif(length, of + length, last)) - time AS time,
        max(frequency) OVER (PARTITION BY trace, processor, sample) AS frequency
    FROM placed
),
clocked AS MATERIALIZED (
    SELECT processor, of, CAST(round(total(1.0 * frequency * time) / total(time)) AS INTEGER) AS frequency
    FROM held
    WHERE of NOT NULL AND frequency NOT NULL AND time > 0
    GROUP BY processor, of
)
SELECT
-- part: interval
    interval AS time,
-- part: main interval
    r.processor, process, busy,
-- part: main
    busy / nullif(total(busy) OVER (PARTITION BY r.processor), 0.0) AS share,
    interrupts, frequency
FROM ran AS r
LEFT JOIN clocked AS c ON c.processor = r.processor
ORDER BY r.processor, busy DESC, process
-- part: interval
    busy / nullif(total(busy) OVER (PARTITION BY r.processor, interval), 0.0) AS share,
    frequency
FROM ran AS r
LEFT JOIN clocked AS c ON c.processor = r.processor AND c.of = r.interval
ORDER BY r.interval, r.processor, busy DESC, process
-- part: main interval
LIMIT ifnull(:rows, -1);
-- remark definition
SELECT 'row without a process: idle time of the processor; time in interrupts counts for the process that they interrupt';
-- remark
SELECT printf('frequencies of the processors: report counters, of trace %s', s.name)
FROM temp.selection AS x
CROSS JOIN main.trace AS t ON t.id = x.trace
CROSS JOIN main.trace AS s ON s.log = t.log AND s.kind = 'samples'
WHERE EXISTS (SELECT 1 FROM main.name AS n WHERE n.trace = s.id AND n.text = 'cpu_frequency')
LIMIT 1;
