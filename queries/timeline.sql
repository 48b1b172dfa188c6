-- report: timeline
-- question: What happened when?
-- title: Operations over time
-- kinds: calls
-- events: yes
-- tally: operation
-- plot: timeline-names
-- thin: time/1000 rank
-- column: time time s - when it was, since the start of the trace; of an interval, when it begins
-- column: id number - - the number of the operation, or the first sector
-- column: name text - - what it is called in the log
-- column: rank number if picture
--
-- A row an event, by trace and time; `id` is the number of the operation, where it has one.
WITH
-- include: ranks
SELECT e.time, n.code AS id, n.text AS name, r.rank
FROM temp.selected_event AS e
LEFT JOIN main.name AS n ON n.id = e.operation
LEFT JOIN ranks AS r ON r.operation = e.operation;
