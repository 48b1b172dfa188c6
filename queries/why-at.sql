-- report: why
-- question: What is different about the slowest calls?
-- title: Where the time of the slowest calls went, against all calls
-- kinds: calls spans
-- instead: waits
-- instead: stages
-- needs: duration=call log=states
-- plot: none
-- when: at
-- options: with offset
-- order: time
-- tally: why_at
-- key: name cause
-- column: name text - - name in the log
-- column: calls int - - calls above the percentile
-- column: cause text - - what the time went to, or what ended the wait: tracetool-causes(7)
-- column: time duration ns less time of the cause in these calls
-- column: share share fraction - share of the time of these calls
-- column: share_all share fraction - share of the time of all calls of the name
-- column: in_calls int - - calls in which the cause occurs
-- column: longest duration ns less longest time in one call
WITH part AS MATERIALIZED (
    SELECT n.text AS name, t.cause, t.beyond, sum(t.calls) AS calls, sum_time(t.time) AS time, max(t.longest) AS longest
    FROM temp.tally_why AS t
    JOIN main.name AS n ON n.id = t.operation
    GROUP BY 1, 2, 3
)
SELECT w.name, w.calls, a.cause, ifnull(p.time, 0) AS time, ifnull(1.0 * p.time / nullif(w.time, 0), 0.0) AS share,
    1.0 * a.time / nullif(o.time, 0), ifnull(p.calls, 0), ifnull(p.longest, 0)
FROM part AS w
JOIN part AS o ON o.beyond = 0 AND o.cause = '' AND o.name IS w.name
JOIN part AS a ON a.beyond = 0 AND a.cause <> '' AND a.name IS w.name
LEFT JOIN part AS p ON p.beyond = 1 AND p.cause = a.cause AND p.name IS w.name
WHERE w.beyond = 1 AND w.cause = ''
ORDER BY o.time DESC, w.name, time DESC, a.cause
LIMIT ifnull(:rows, -1);
-- include: why-remark
-- remark definition
SELECT 'only calls at least as long as the percentile of the calls of the same name; share_all: share of all calls';
