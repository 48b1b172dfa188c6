-- report: counters
-- question: What values did counters have?
-- events: yes
-- part: over-time
-- title: Counters over time
-- kinds: samples
-- needs: value=counter
-- when: picture
-- plot: counters
-- thin: time/800 place/200 rank
-- column: time time s - time since the start of the trace; for an interval, its start
-- column: counter text - - name of the counter, from the program or the kernel
-- column: value int - - value from this time on
-- column: place number if picture
-- column: rank number if picture
--
-- part: main
-- page: 11
-- title: Counters
-- kinds: samples
-- needs: value=counter
-- plot: none
-- worth: mean max min samples last
-- column: counter text - - name of the counter, from the program or the kernel
-- column: process text - - the process; of a counter of the kernel's, the processor
-- column: samples int - - number of recorded values
-- column: min int - - minimum
-- column: mean real - - time-weighted mean; a value holds until the next
-- column: max int - - maximum
-- column: last int - - value at the end
-- column: trace text - if several - the trace
-- compare: rows key=counter,process value=samples,min,mean,max,last
--
-- Several threads of a process can report values of one counter.
-- part: over-time
WITH named AS MATERIALIZED (
    SELECT e.operation, e.actor, e.trace, count(*) AS count,
        n.text || ifnull(' ' || ifnull(p.label, a.name), '') || ifnull(', ' || t.name, '') AS name,
        min(e.value) AS least, max(e.value) AS most
    FROM temp.selected_event AS e
    CROSS JOIN main.name AS n ON n.id = e.operation
    LEFT JOIN main.actor AS a ON a.id = e.actor
    LEFT JOIN temp.process AS p ON p.id = e.actor
    LEFT JOIN main.trace AS t ON t.id = e.trace AND (SELECT count(*) > 1 FROM temp.selection)
    GROUP BY e.operation, e.actor, e.trace
),
numbered AS (
    SELECT name, min(least) AS least, max(most) AS most, rank() OVER (ORDER BY sum(count) DESC, name) AS rank
    FROM named
    GROUP BY name
),
-- The join allows SQLite to build an index, which it does not do on results of window functions.
ranked AS MATERIALIZED (
    SELECT n.operation, n.actor, n.trace, r.*
    FROM named AS n
    CROSS JOIN numbered AS r ON r.name = n.name
)
SELECT e.time, k.name, e.value, (e.value - 1.0 * k.least) / max(k.most - 1.0 * k.least, 1), k.rank
FROM temp.selected_event AS e
CROSS JOIN ranked AS k ON k.operation = e.operation AND k.actor IS e.actor AND k.trace = e.trace;
-- part: main
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
SELECT 'mean: weighted by time; each value counts until the next sample';
