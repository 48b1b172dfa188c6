-- report: results
-- question: What did the benchmarks measure?
-- title: Results of benchmarks
-- kinds: results
-- events: yes
-- plot: results
-- worth: mean count p50 p99 max min p90
-- blank: unit
-- column: test text - - the test of the benchmark
-- column: run number - - the number of the run
-- column: measure text - - what the value is of
-- column: unit text - - what the values are counted in
-- column: count int - - how many of what the row is of
-- column: mean real - less the average
-- column: min real - less the smallest
-- column: p50 real - less the median: the smallest value that half of them do not exceed
-- column: p90 real - less the smallest value that 90 % of them do not exceed
-- column: p99 real - less the smallest value that 99 % of them do not exceed
-- column: max real - less the largest
-- column: trace text - if several - the trace
--
-- A row for what each test measured; those with one value have it in all columns. Values are
-- millionths in the event. Percentiles are values that occur: the smallest one that so many do not
-- exceed.
WITH measured AS (
    SELECT
        e.trace, e.actor, e.operation, min(e.id) AS first, count(*) AS count, avg(e.value) AS mean,
        min(e.value) AS least, quantile(e.value, 0.5) AS p50, quantile(e.value, 0.9) AS p90,
        quantile(e.value, 0.99) AS p99, max(e.value) AS most
    FROM temp.selected_event AS e
    GROUP BY e.trace, e.actor, e.operation
)
SELECT
    a.name, a.session, n.text, u.text, m.count, m.mean / 1e6, m.least / 1e6, m.p50 / 1e6, m.p90 / 1e6,
    m.p99 / 1e6, m.most / 1e6, t.name
FROM measured AS m
JOIN main.trace AS t ON t.id = m.trace
JOIN temp.selection AS s ON s.trace = m.trace
LEFT JOIN main.actor AS a ON a.id = m.actor
LEFT JOIN main.name AS n ON n.id = m.operation
LEFT JOIN main.name AS u ON u.id = n.component
ORDER BY s.place, m.first
LIMIT ifnull(:top, -1);
