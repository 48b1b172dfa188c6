-- report: timeline
-- title: Calls over time
-- kinds: spans
-- events: yes
-- column: time time s
-- column: id integer
-- column: name text
--
-- A row a call, by trace and time; `id` is the number of the function.
SELECT e.time, n.code AS id, n.text AS name
FROM temp.selected_event AS e
LEFT JOIN main.name AS n ON n.id = e.operation
WHERE span_is_call(e.flags);
