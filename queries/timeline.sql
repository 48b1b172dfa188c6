-- report: timeline
-- title: Operations over time
-- kinds: calls
-- events: yes
-- column: time time s
-- column: id integer
-- column: name text
--
-- A row an event, by trace and time; `id` is the number of the operation (the trap).
SELECT e.time, n.code AS id, n.text AS name
FROM temp.selected_event AS e
LEFT JOIN main.name AS n ON n.id = e.operation;
