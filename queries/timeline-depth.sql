-- report: timeline
-- question: What happened when?
-- title: Depth of calls over time, by thread
-- kinds: spans
-- when: interval
-- needs: per-thread
-- options: per-thread
-- tally: thread_depth depth
-- plot: rate-by
-- column: time time s - when it was, since the start of the trace; of an interval, when it begins
-- column: thread text - - the thread
-- column: trace text - if several - the trace
-- column: depth real - - how many calls of the thread ran at a time, on average over the interval
-- column: max int - - the most of them that ran at once
-- column: calls int - - how many of them began in the interval
-- column: rank number if picture
--
-- A row for each thread and interval in which any of its calls began or ran.
WITH
counted AS MATERIALIZED (
    SELECT
        d.start, d.trace, s.place, d.actor,
        total(d.in_flight) / d.length AS depth, max(d.deepest) AS most, sum(d.begun) AS calls
    FROM temp.tally_thread_depth AS d
    JOIN temp.selection AS s ON s.trace = d.trace
    GROUP BY d.start, d.trace, d.actor
),
timed(any) AS MATERIALIZED (
    SELECT total(timed) > 0 FROM temp.tally_thread_depth
),
ranked AS MATERIALIZED (
    SELECT actor, row_number() OVER (ORDER BY sum(calls) DESC, place, actor) AS rank
    FROM counted
    WHERE :picture
    GROUP BY actor
)
SELECT
    c.start, a.label, t.name, iif(any, c.depth, NULL), iif(any, c.most, NULL), c.calls, r.rank
FROM counted AS c
CROSS JOIN timed
LEFT JOIN temp.thread AS a ON a.id = c.actor
LEFT JOIN main.trace AS t ON t.id = c.trace
LEFT JOIN ranked AS r ON r.actor = c.actor
ORDER BY c.start, a.label, c.place, c.actor
LIMIT ifnull(:top, -1);
-- remark definition
WITH
-- include: rate-second
SELECT printf('intervals of %.9g %s from the start of %s; the first and last may be partial',
    length / ifnull(second, 1), iif(second IS NULL, 'units', 's'),
    iif((SELECT count(*) FROM temp.selection) > 1, 'each trace', 'the trace'))
FROM temp.tally_thread_depth
CROSS JOIN clock
LIMIT 1;
-- remark definition
SELECT 'depth: nested selected calls of a thread, 1 in an outermost one; mean over the interval, 0 where none runs';
-- remark definition
SELECT 'max: the deepest for any time; a thread has no row where no call runs or begins';
-- remark loss
SELECT text FROM temp.span_remark;
