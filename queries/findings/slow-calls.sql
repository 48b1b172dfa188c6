-- report: findings
-- title: what the slowest calls waited for
-- part: calls
-- kinds: calls
-- tally: why_found thread_found
-- part: spans
-- kinds: spans
-- tally: why_found
-- part: all
-- weight: weight time
-- say: the slowest {noun} of {name} took {all}, {value} of that for one cause: {cause}; in all its calls, this cause had {others}
-- look: report why --at p99
-- why: The states of the threads show this difference between the slowest 1 % of the calls and the others.
-- unless: The call waits for data that another program sends.
-- source: tracetool's own choice; no published threshold is known.
-- parameter: slow-calls-share real 0.5 "least share of one cause in the time of the slowest 1 % of a call"
-- parameter: slow-calls-more real 0.1 "least amount by which that share is larger than among all calls of the name"
-- parameter: slow-calls-time integer 10 "least time of one cause in the slowest 1 % of calls, in milliseconds"
-- column: fires int
-- column: value share
-- column: threshold share
-- column: weight share
-- column: noun text
-- column: name text
-- column: all duration
-- column: cause text
-- column: others share
-- Excludes calls whose purpose is to wait.
WITH part AS MATERIALIZED (
    SELECT n.text AS name, t.cause, t.beyond, sum(t.calls) AS calls, sum_time(t.time) AS time
    FROM temp.tally_why AS t
    JOIN main.name AS n ON n.id = t.operation
    WHERE ifnull(call_wait(n.text), '') NOT IN ('event', 'lock', 'peer', 'process', 'restarted', 'signal', 'time')
    GROUP BY 1, 2, 3
),
judged AS (
    SELECT p.name, p.cause, p.time, w.calls, w.time AS "all", 1.0 * p.time / w.time AS value, 1.0 * a.time / o.time AS others
    FROM part AS p
    JOIN part AS w ON w.beyond = 1 AND w.cause = '' AND w.name = p.name
    JOIN part AS a ON a.beyond = 0 AND a.cause = p.cause AND a.name = p.name
    JOIN part AS o ON o.beyond = 0 AND o.cause = '' AND o.name = p.name
    WHERE p.beyond = 1 AND p.cause NOT IN ('', 'unexplained') AND w.time > 0 AND o.time > 0
)
SELECT value > :slow_calls_share AND value - others > :slow_calls_more
        AND iif(t.clock_unit = 'ns', j.time >= 1000000 * :slow_calls_time, NULL) AS fires, value,
    :slow_calls_share AS threshold,
-- part: calls
    min(1.0, 1.0 * j.time / (SELECT nullif(max(last) - min(first), 0) FROM temp.thread_found)) AS weight,
-- part: spans
    min(1.0, 1.0 * j.time / nullif(t.time, 0)) AS weight,
-- part: all
    iif(j.calls = 1, 'call', printf('%,d calls', j.calls)) AS noun, j.name, j."all", j.cause, j.others
FROM (SELECT m.clock_unit, s.time FROM temp.selection AS s JOIN main.trace AS m ON m.id = s.trace LIMIT 1) AS t
LEFT JOIN judged AS j
ORDER BY ifnull(fires, 0.5) DESC, j.time DESC, j.name, j.cause
LIMIT 1
