-- report: load
-- title: CPU load and memory over time
-- kinds: samples
-- events: yes
-- column: time time s
-- column: process text
-- column: pid number
-- column: cpu share fraction
-- column: memory bytes bytes
-- column: trace text
--
-- A row a sample, process by process; `cpu` is of one processor. Millionths are the event's.
SELECT e.time, a.name, a.pid, e.value / 1e6, e.size, t.name
FROM temp.selected_event AS e
LEFT JOIN main.actor AS a ON a.id = e.actor
JOIN main.trace AS t ON t.id = e.trace
JOIN temp.selection AS s ON s.trace = e.trace
ORDER BY s.place, a.name, a.pid, e.time, e.id
LIMIT ifnull(:top, -1);
