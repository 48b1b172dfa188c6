-- report: gaps
-- title: Idle times
-- kinds: calls io
-- events: yes
-- column: start time s
-- column: end time s
-- column: duration duration ns
--
-- Time between one event and the next of the same trace, the longest first. For block I/O, between
-- successive actions of the counted kind.
WITH pair AS (
    SELECT lag(time) OVER (PARTITION BY trace ORDER BY id) AS start, time AS "end"
    FROM temp.selected_event
)
SELECT start, "end", "end" - start AS duration
FROM pair
WHERE "end" > start
ORDER BY duration DESC, start
LIMIT ifnull(:top, -1);
