-- report: calls
-- question: When did each function call begin, and how long did it take?
-- title: Calls
-- kinds: spans
-- instead: slowest
-- options: corrected measured
-- events: yes
-- tally: depth
-- column: call number - - number of the call, in order of the starts
-- column: start time ns - start, since the start of the trace
-- column: duration duration ns less duration
-- column: thread text - - the thread
-- column: name text - - name in the log
-- column: return number - - what the call returned
-- column: rank number if picture
--
-- Row per call, in the order of temp.selected_event: trace and time. Sorting would be slow.
WITH drawn(operation, rank) AS MATERIALIZED (
    -- For pictures: rank of a function by its number of rows; all from the seventh on share rank 7.
    SELECT operation, min(row_number() OVER (ORDER BY count(*) DESC, operation), 7)
    FROM (
        SELECT e.operation FROM temp.selected_event AS e
        WHERE span_is_call(e.flags) AND :picture
        LIMIT ifnull(:top, -1)
    )
    GROUP BY operation
)
SELECT
    row_number() OVER () AS call,
    e.time,
    e.duration,
    a.label,
    n.text,
    e.value,
    drawn.rank
FROM temp.selected_event AS e
LEFT JOIN main.name AS n ON n.id = e.operation
LEFT JOIN temp.thread AS a ON a.id = e.actor
LEFT JOIN drawn ON drawn.operation = e.operation
WHERE span_is_call(e.flags)
LIMIT ifnull(:top, -1);
-- remark loss
SELECT text FROM temp.span_remark;
