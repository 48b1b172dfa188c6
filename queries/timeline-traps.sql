-- report: timeline
-- question: What happened when?
-- title: Operations over time
-- kinds: calls
-- formats: palmist
-- events: yes
-- thin: time/1000 id/500
-- column: time time s - when it was, since the start of the trace; of an interval, when it begins
-- column: id number - - the number of the operation, or the first sector
-- column: name text - - what it is called in the log
--
-- A row an event, by trace and time; `id` is the number of the operation (the trap).
SELECT e.time, n.code AS id, n.text AS name
FROM temp.selected_event AS e
LEFT JOIN main.name AS n ON n.id = e.operation;
