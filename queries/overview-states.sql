-- report: overview
-- question: What is in the trace, and what stands at the top?
-- title: Overview
-- kinds: states
-- tally: state
-- plot: none
-- blank: most
-- column: figure text - - what the value says
-- column: most text - - what of it comes first, or where it is
-- column: value any - - the value
WITH by_thread AS MATERIALIZED (
    SELECT
        a.label AS name,
        sum_time(iif(n.text = 'running', t.time, 0)) AS running,
        sum_time(iif(n.text IN ('preempted', 'woken'), t.time, 0)) AS waiting,
        max(iif(n.text IN ('preempted', 'woken'), t.longest, 0)) AS longest,
        sum(iif(n.text = 'running', t.count, 0)) AS switches
    FROM temp.tally_state AS t
    JOIN main.name AS n ON n.id = t.operation
    JOIN temp.thread AS a ON a.id = t.actor
    WHERE n.kind = 'state'
    GROUP BY a.label
),
sums AS (
    SELECT count(*) AS threads, sum_time(running) AS running, sum_time(waiting) AS waiting, sum(switches) AS switches
    FROM by_thread
),
processor AS (
    SELECT
        t.processor,
        sum_time(iif(n.text = 'running', t.time, 0)) AS busy,
        total(t.time) AS known
    FROM temp.tally_state AS t
    JOIN main.name AS n ON n.id = t.operation
    WHERE n.kind = 'processor' OR n.text = 'running'
    GROUP BY t.processor
),
unit AS (
    SELECT iif(min(t.clock_unit) = 'ns', 'duration', 'integer') AS kind
    FROM temp.selection AS x
    CROSS JOIN main.trace AS t ON t.id = x.trace
)
SELECT 'threads' AS figure, NULL AS most, threads AS value, 'integer' AS _kind FROM sums
UNION ALL SELECT 'run time', NULL, (SELECT ifnull(sum(t.last_time - t.first_time), 0)
    FROM temp.selection AS x CROSS JOIN main.trace AS t ON t.id = x.trace), kind FROM unit
UNION ALL SELECT 'processors',
    (SELECT group_concat(printf('%d busy %.0f %%', processor, 100 * busy / nullif(known, 0)), ', ')
        FROM (SELECT * FROM processor ORDER BY processor LIMIT 3)),
    (SELECT count(*) FROM processor), 'integer'
UNION ALL SELECT 'time on processors',
    (SELECT group_concat(printf('%s %.0f %%', name, 100.0 * b.running / nullif(s.running, 0)), ', ')
        FROM (SELECT * FROM by_thread ORDER BY running DESC, name LIMIT 3) AS b),
    running, kind FROM sums AS s, unit
UNION ALL SELECT 'time waiting for one',
    (SELECT group_concat(printf('%s %.0f %%', name, 100.0 * b.waiting / nullif(s.waiting, 0)), ', ')
        FROM (SELECT * FROM by_thread ORDER BY waiting DESC, name LIMIT 3) AS b),
    waiting, kind FROM sums AS s, unit
UNION ALL SELECT 'longest wait for one', b.name, b.longest, kind
    FROM (SELECT * FROM by_thread ORDER BY longest DESC, name LIMIT 1) AS b, unit
UNION ALL SELECT 'switches', NULL, switches, 'integer' FROM sums
UNION ALL SELECT 'log size', NULL, (SELECT sum(f.size) FROM temp.selection AS s
    CROSS JOIN main.source AS f ON f.trace = s.trace), 'bytes';
