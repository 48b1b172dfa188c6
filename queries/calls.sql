-- report: calls
-- title: Calls
-- kinds: spans
-- events: yes
-- tally: depth
-- column: call integer
-- column: start time s
-- column: duration duration ns
-- column: thread text
-- column: name text
-- column: return integer
--
-- A row a call, as temp.selected_event has them: by trace and time. Sorting them would take long.
SELECT
    row_number() OVER () AS call,
    e.time,
    e.duration,
    a.label,
    n.text,
    e.value
FROM temp.selected_event AS e
LEFT JOIN main.name AS n ON n.id = e.operation
LEFT JOIN temp.thread AS a ON a.id = e.actor
WHERE span_is_call(e.flags)
LIMIT ifnull(:top, -1);
-- remark
SELECT text FROM temp.span_remark;
