-- report: counters
-- page: 11
-- question: What values did counters have?
-- title: Counters
-- kinds: samples
-- needs: value=counter
-- events: yes
-- plot: none
-- worth: mean max min samples last
-- column: counter text - - what the program or the kernel calls it
-- column: process text - - the process; of a counter of the kernel's, the processor
-- column: samples int - - how often a value was told
-- column: min int - - the least value
-- column: mean real - - the value on average over time, each holding until the next
-- column: max int - - the greatest value
-- column: last int - - the value at the end
-- column: trace text - if several - the trace
-- compare: rows key=counter,process value=samples,min,mean,max,last
--
-- Threads of a process may tell values of one counter.
WITH held AS (
    SELECT e.trace, n.text AS counter, ifnull(p.label, a.name) AS process, e.value,
        lead(e.time) OVER (
            PARTITION BY e.trace, e.operation, ifnull(p.label, a.name) ORDER BY e.time, e.id
        ) - e.time AS time
    FROM temp.selected_event AS e
    CROSS JOIN main.name AS n ON n.id = e.operation
    LEFT JOIN main.actor AS a ON a.id = e.actor
    LEFT JOIN temp.process AS p ON p.id = e.actor
)
SELECT h.counter, h.process, count(*) AS samples, min(h.value),
    ifnull(sum(1.0 * h.value * h.time) / nullif(sum(h.time), 0), avg(h.value)),
    max(h.value), max(iif(h.time IS NULL, h.value, NULL)), t.name
FROM held AS h
JOIN main.trace AS t ON t.id = h.trace
JOIN temp.selection AS s ON s.trace = h.trace
GROUP BY h.trace, h.counter, h.process
ORDER BY samples DESC, h.counter, h.process, s.place
LIMIT ifnull(:top, -1);
-- remark definition
SELECT 'mean: over time from the first sample to the last, each value until the next';
