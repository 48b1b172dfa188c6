-- report: cpu
-- page: 13
-- question: What did the processors do?
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
-- part: all
-- column: processor number - - its number
-- column: process text - - the process that ran; none: the processor was idle
-- column: busy duration ns less time
-- column: share share fraction less share of the recorded time of the processor
-- part: main
-- column: interrupts duration ns less part of it spent in interrupts
-- compare: rows value=busy,interrupts
-- part: interval
-- compare: rows value=busy
-- part: all
WITH ran AS MATERIALIZED (
    SELECT
        t.processor,
        iif(n.kind = 'processor', NULL, a.label) AS process,
-- part: interval
        t.interval,
-- part: all
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
-- part: all
        2
)
SELECT
-- part: interval
    interval AS time,
-- part: all
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
-- part: all
LIMIT ifnull(:rows, -1);
-- remark definition
SELECT 'idle time of a processor: the row without a process; interrupts are time of what they interrupt';
