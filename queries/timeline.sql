-- report: timeline
-- question: What happened when?
-- part: depth
-- title: Depth of calls over time, by thread
-- kinds: spans
-- when: interval
-- needs: per-thread
-- options: per-thread
-- tally: thread_depth depth
-- plot: rate-by
-- column: time time s - time since the start of the trace; for an interval, its start
-- column: thread text - - the thread
-- column: trace text - if several - the trace
-- column: depth real - - mean number of open calls of the thread during the interval
-- column: max int - - most calls that were open at once
-- column: calls int - - calls that began in the interval
-- column: rank number if picture
--
-- Row per thread and interval with calls that begin or run in it.
-- part: io
-- title: Sectors over time
-- kinds: io
-- fact: times report
-- needs: address=sector
-- events: yes
-- tally: size
-- plot: timeline-io
-- thin: time/1000 id/500 name
-- column: time time s - time since the start of the trace; for an interval, its start
-- column: id number - - the number of the operation, or the first sector
-- column: name text - - name in the log
--
-- Row per event of the counted action. `id` is the first sector, `name` the class of the I/O.
-- part: spans
-- title: Calls over time
-- kinds: spans
-- events: yes
-- tally: operation
-- plot: timeline-names
-- thin: time/1000 rank
-- column: time time s - time since the start of the trace; for an interval, its start
-- column: id number - - the number of the operation, or the first sector
-- column: name text - - name in the log
-- column: rank number if picture
--
-- Row per call, by trace and time. `id` is the number of the function.
-- part: states
-- title: States of threads over time
-- kinds: states
-- include: states-over-time
-- part: threads
-- title: Depth of calls over time
-- kinds: spans
-- when: per-thread
-- events: yes
-- plot: depth
-- thin: time/1000 time+duration/1000 thread depth
-- column: time time ns - time since the start of the trace; for an interval, its start
-- column: id number - - the number of the operation, or the first sector
-- column: name text - - name in the log
-- column: thread text - - the thread
-- column: depth int - - I/Os in flight, or nesting depth of the calls
-- column: duration duration ns less duration
--
-- Row per call, by trace and time.
-- part: traps
-- title: Operations over time
-- kinds: calls
-- fact: times report
-- formats: palmist
-- events: yes
-- thin: time/1000 id/500
-- column: time time s - time since the start of the trace; for an interval, its start
-- column: id number - - the number of the operation, or the first sector
-- column: name text - - name in the log
--
-- Row per event, by trace and time. `id` is the number of the operation (the trap).
-- part: main
-- title: Operations over time
-- kinds: calls
-- fact: times report
-- events: yes
-- tally: operation
-- plot: timeline-names
-- thin: time/1000 rank
-- column: time time s - time since the start of the trace; for an interval, its start
-- column: id number - - the number of the operation, or the first sector
-- column: name text - - name in the log
-- column: rank number if picture
--
-- Row per event, by trace and time. `id` is the number of the operation, if it has one.
-- part: depth
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
SELECT printf('intervals of %s from the start of %s; the first and last may be partial',
    iif(second IS NULL, counted(length, 'unit{s}'), rtrim(rtrim(printf('%.9f', length / second), '0'), '.') || ' s'),
    iif((SELECT count(*) FROM temp.selection) > 1, 'each trace', 'the trace'))
FROM temp.tally_thread_depth
CROSS JOIN clock
LIMIT 1;
-- remark definition
SELECT 'depth: how many selected calls of a thread run inside one another (1: only an outermost one), as a mean over the interval; 0 if none runs';
-- remark definition
SELECT 'max: the largest depth, however short; intervals in which no call of a thread runs or begins have no row';
-- remark loss
SELECT text FROM temp.span_remark;
-- part: io
SELECT
    e.time,
    e.address AS id,
    io_class(e.flags) AS name
FROM temp.selected_event AS e
-- I/Os without data have no position.
WHERE e.size IS NOT 0;
-- include: without-data
-- part: spans
WITH
-- include: ranks
SELECT e.time, n.code AS id, n.text AS name, r.rank
FROM temp.selected_event AS e
LEFT JOIN main.name AS n ON n.id = e.operation
LEFT JOIN ranks AS r ON r.operation = +e.operation
WHERE span_is_call(e.flags);
-- part: threads
SELECT e.time, n.code AS id, n.text AS name, a.label AS thread, e.depth, e.duration
FROM temp.selected_event AS e
LEFT JOIN main.name AS n ON n.id = e.operation
LEFT JOIN temp.thread AS a ON a.id = e.actor
WHERE span_is_call(e.flags);
-- part: traps
SELECT e.time, n.code AS id, n.text AS name
FROM temp.selected_event AS e
LEFT JOIN main.name AS n ON n.id = e.operation;
-- part: main
WITH
-- include: ranks
SELECT e.time, n.code AS id, n.text AS name, r.rank
FROM temp.selected_event AS e
LEFT JOIN main.name AS n ON n.id = e.operation
LEFT JOIN ranks AS r ON r.operation = +e.operation;
