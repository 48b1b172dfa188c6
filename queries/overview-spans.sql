-- report: overview
-- question: What is in the trace, and what stands at the top?
-- title: Overview
-- kinds: spans
-- tally: span
-- plot: none
-- blank: most
-- column: figure text - - what the value says
-- column: most text - - what of it comes first, or where it is
-- column: value any - - the value
WITH by_function AS MATERIALIZED (
    SELECT n.text AS name, sum(t.calls) AS calls, sum_time(t.self) AS self, max(t.most) AS longest
    FROM temp.tally_span AS t
    JOIN main.name AS n ON n.id = t.operation
    GROUP BY n.text
),
sums AS (
    SELECT sum(calls) AS calls, sum_time(self) AS self, count(*) AS functions FROM by_function
),
unit AS (
    SELECT min(t.clock_unit) AS name, iif(min(t.clock_unit) = 'ns', 'duration', 'integer') AS kind
    FROM temp.selection AS x
    CROSS JOIN main.trace AS t ON t.id = x.trace
)
SELECT 'calls' AS figure,
    (SELECT group_concat(printf('%s %.0f %%', name, 100.0 * b.calls / s.calls), ', ')
        FROM (SELECT * FROM by_function ORDER BY calls DESC, name LIMIT 3) AS b) AS most,
    ifnull(calls, 0) AS value, 'integer' AS _kind
    FROM sums AS s
UNION ALL SELECT 'threads', NULL, (SELECT count(DISTINCT actor) FROM temp.tally_span), 'integer'
UNION ALL SELECT 'functions', NULL, functions, 'integer' FROM sums
UNION ALL SELECT 'run time', NULL, (SELECT ifnull(sum(e.time - b.time), 0)
        FROM temp.selection AS x
        CROSS JOIN main.event AS b ON b.id = x.first_event
        CROSS JOIN main.event AS e ON e.id = x.last_event
        WHERE x.first_event <= x.last_event), kind
    FROM unit WHERE name <> 'records'
UNION ALL SELECT 'time in calls',
    (SELECT group_concat(printf('%s %.0f %%', name, 100.0 * b.self / s.self), ', ')
        FROM (SELECT * FROM by_function WHERE self > 0 ORDER BY self DESC, name LIMIT 3) AS b),
    self, kind
    FROM sums AS s, unit WHERE self > 0
UNION ALL SELECT 'longest call', b.name, b.longest, kind
    FROM (SELECT * FROM by_function WHERE longest IS NOT NULL ORDER BY longest DESC, name LIMIT 1) AS b, unit
UNION ALL SELECT 'log size', NULL, (SELECT sum(f.size) FROM temp.selection AS s
    CROSS JOIN main.source AS f ON f.trace = s.trace), 'bytes';
