-- report: load
-- question: How busy are CPU and memory over time?
-- title: CPU load and memory over time
-- kinds: samples
-- needs: value=load
-- events: yes
-- column: time time s - time since the start of the trace; for an interval, its start
-- column: process text - - the process
-- column: pid number - - process ID
-- column: cpu share fraction less share of the time of all CPUs
-- column: memory bytes bytes less memory in use
-- column: trace text - - the trace
--
-- Row per sample, by process. `cpu` is relative to one processor. Event values are millionths.
SELECT e.time, a.name, a.pid, e.value / 1e6, e.size, t.name
FROM temp.selected_event AS e
LEFT JOIN main.actor AS a ON a.id = e.actor
JOIN main.trace AS t ON t.id = e.trace
JOIN temp.selection AS s ON s.trace = e.trace
ORDER BY s.place, a.name, a.pid, e.time, e.id
LIMIT ifnull(:top, -1);
