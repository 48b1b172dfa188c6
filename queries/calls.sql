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
-- column: place number if picture
-- column: mean real if picture
-- column: median number if picture
-- column: max number if picture
-- column: longest number if picture
-- column: rank number if picture
-- thin: call/400 place/150
--
-- Row per call, in the order of temp.selected_event: trace and time. Sorting would be slow. For
-- pictures, `place` is the height of a call's mark, on a logarithmic scale if the longest call lasts
-- more than 50 times the median and that is not 0, as plots/calls.gp draws it; the first row has mean,
-- median, longest duration and its call.
WITH drawn(operation, rank) AS MATERIALIZED (
    -- For pictures: rank of a function by its number of rows; all from the seventh on share rank 7.
    SELECT operation, min(row_number() OVER (ORDER BY count(*) DESC, operation), 7)
    FROM (
        SELECT e.operation FROM temp.selected_event AS e
        WHERE span_is_call(e.flags) AND :picture
        LIMIT ifnull(:top, -1)
    )
    GROUP BY operation
),
timed(mean, longest, max, median) AS MATERIALIZED (
    SELECT avg(duration), call, max(duration), (SELECT p50 FROM temp.distribution)
    FROM (
        SELECT row_number() OVER () AS call, e.duration FROM temp.selected_event AS e
        WHERE span_is_call(e.flags) AND :picture
        LIMIT ifnull(:top, -1)
    )
)
SELECT
    row_number() OVER () AS call,
    e.time,
    e.duration,
    a.label,
    n.text,
    e.value,
    CAST(iif(timed.median > 0 AND timed.max > 50 * timed.median, 1000000 * ln(max(e.duration, 1)), e.duration) AS INTEGER),
    iif(row_number() OVER () = 1, timed.mean, NULL),
    iif(row_number() OVER () = 1, timed.median, NULL),
    iif(row_number() OVER () = 1, timed.max, NULL),
    iif(row_number() OVER () = 1, timed.longest, NULL),
    drawn.rank
FROM temp.selected_event AS e
CROSS JOIN timed
LEFT JOIN main.name AS n ON n.id = e.operation
LEFT JOIN temp.thread AS a ON a.id = e.actor
LEFT JOIN drawn ON drawn.operation = e.operation
WHERE span_is_call(e.flags)
LIMIT ifnull(:top, -1);
-- distribution
SELECT '', duration
FROM (
    SELECT e.duration FROM temp.selected_event AS e
    WHERE span_is_call(e.flags) AND :picture
    LIMIT ifnull(:top, -1)
)
WHERE duration IS NOT NULL
-- remark loss
SELECT text FROM temp.span_remark;
