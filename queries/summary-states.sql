-- report: summary
-- question: What are the key figures of the trace?
-- title: Summary
-- kinds: states
-- tally: state
-- column: attribute text - - what the value says
-- key: attribute
-- column: value any - - the value
-- compare: rows
WITH counts AS (
    SELECT
        (SELECT sum(t.last_time - t.first_time) FROM temp.selection AS x
            CROSS JOIN main.trace AS t ON t.id = x.trace) AS run_time,
        (SELECT iif(min(t.clock_unit) = 'ns', 'duration', 'integer') FROM temp.selection AS x
            CROSS JOIN main.trace AS t ON t.id = x.trace) AS kind,
        sum_time(iif(n.text = 'running', t.time, 0)) AS running,
        sum_time(iif(n.text IN ('preempted', 'woken'), t.time, 0)) AS waiting,
        sum_time(iif(n.text = 'uninterruptible', t.time, 0)) AS uninterruptible,
        max(iif(n.text IN ('preempted', 'woken'), t.longest, 0)) AS longest,
        sum(iif(n.text = 'running', t.count, 0)) AS switches,
        sum(t.migrations) AS migrations,
        sum_time(t.interrupts) AS interrupts,
        sum_time(iif(n.kind = 'processor', t.time, 0)) AS idle,
        count(DISTINCT iif(n.kind = 'state', t.actor, NULL)) AS threads,
        count(DISTINCT iif(n.kind = 'processor' OR n.text = 'running', t.processor, NULL)) AS processors
    FROM temp.tally_state AS t
    JOIN main.name AS n ON n.id = t.operation
)
SELECT 'run time' AS attribute, ifnull(run_time, 0) AS value, kind AS _kind FROM counts
UNION ALL SELECT 'threads', threads, 'integer' FROM counts
UNION ALL SELECT 'processors', processors, 'integer' FROM counts
UNION ALL SELECT 'time on processors', ifnull(running, 0), kind FROM counts
UNION ALL SELECT 'time of idle processors', ifnull(idle, 0), kind FROM counts
UNION ALL SELECT 'time in interrupts', ifnull(interrupts, 0), kind FROM counts
UNION ALL SELECT 'time waiting for a processor', ifnull(waiting, 0), kind FROM counts
UNION ALL SELECT 'longest wait for a processor', ifnull(longest, 0), kind FROM counts
UNION ALL SELECT 'uninterruptible time', ifnull(uninterruptible, 0), kind FROM counts
UNION ALL SELECT 'switches', ifnull(switches, 0), 'integer' FROM counts
UNION ALL SELECT 'migrations', ifnull(migrations, 0), 'integer' FROM counts
UNION ALL SELECT 'log size', (SELECT sum(f.size) FROM temp.selection AS s
    CROSS JOIN main.source AS f ON f.trace = s.trace), 'bytes';
