-- report: timeline
-- question: What happened when?
-- title: Depth of calls over time
-- kinds: spans
-- when: per-thread
-- events: yes
-- plot: depth
-- thin: time/1000 time+duration/1000 thread depth
-- column: time time ns - when it was, since the start of the trace; of an interval, when it begins
-- column: id number - - the number of the operation, or the first sector
-- column: name text - - what it is called in the log
-- column: thread text - - the thread
-- column: depth int - - how many were in flight, or how many calls deep
-- column: duration duration ns less how long it took
--
-- A row a call, by trace and time.
SELECT e.time, n.code AS id, n.text AS name, a.label AS thread, e.depth, e.duration
FROM temp.selected_event AS e
LEFT JOIN main.name AS n ON n.id = e.operation
LEFT JOIN temp.thread AS a ON a.id = e.actor
WHERE span_is_call(e.flags);
