-- report: results
-- question: What did the benchmarks measure?
-- title: Results of benchmarks
-- kinds: results
-- events: yes
-- plot: results
-- options: confidence
-- worth: mean count low high deviation p50 p99 max min p90
-- blank: unit test run
-- compare: rows key=test,measure,unit value=mean count=count deviation=deviation
-- column: test text - - the test of the benchmark
-- column: run number - - the number of the run
-- column: measure text - - measured quantity
-- column: unit text - - unit of the values
-- column: count int - - number of events, or of references, in the row
-- column: mean real - less mean
-- column: min real - less minimum
-- column: p50 real - less median: smallest value that half of the values do not exceed
-- column: p90 real - less smallest value that 90 % of the values do not exceed
-- column: p99 real - less smallest value that 99 % of the values do not exceed
-- column: max real - less maximum
-- column: deviation real - less standard deviation of a sample (by n - 1)
-- column: low real - - lower bound of the confidence interval of the mean (--confidence)
-- column: high real - - upper bound of that interval
-- column: trace text - if several - the trace
--
-- Row per result of a test; a single value fills all columns. Logs of successive tests number them;
-- if the run is a column of a table, a row covers all runs. Event values are millionths.
-- Percentiles are nearest rank: observed values.
WITH measured AS (
    SELECT
        e.trace, e.actor, e.operation, min(e.id) AS first, count(*) AS count, avg(e.value) AS mean,
        min(e.value) AS least, quantile(e.value, 0.5) AS p50, quantile(e.value, 0.9) AS p90,
        quantile(e.value, 0.99) AS p99, max(e.value) AS most, stddev(e.value) AS deviation,
        stddev(e.value) / sqrt(count(*))
            * student(CAST(ifnull(:confidence, 0.95) AS REAL), count(*) - 1) AS reach
    FROM temp.selected_event AS e
    GROUP BY e.trace, e.actor, e.operation
)
SELECT
    a.name, iif(r.trace IS NULL, a.session, NULL), n.text, u.text, m.count, m.mean / 1e6,
    m.least / 1e6, m.p50 / 1e6, m.p90 / 1e6, m.p99 / 1e6, m.most / 1e6,
    m.deviation / 1e6, (m.mean - m.reach) / 1e6, (m.mean + m.reach) / 1e6, t.name
FROM measured AS m
JOIN main.trace AS t ON t.id = m.trace
JOIN temp.selection AS s ON s.trace = m.trace
LEFT JOIN main.actor AS a ON a.id = m.actor
LEFT JOIN main.name AS n ON n.id = m.operation
LEFT JOIN main.name AS u ON u.id = n.component
LEFT JOIN main.meaning AS r ON r.trace = m.trace AND r."column" = 'address' AND r.what = 'run'
ORDER BY s.place, m.first
LIMIT ifnull(:top, -1);

-- remark definition
SELECT printf('low and high: %g %% confidence interval of the mean, of values that are independent (Student''s t)',
    100 * CAST(ifnull(:confidence, 0.95) AS REAL));
