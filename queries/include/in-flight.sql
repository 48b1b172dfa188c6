-- remark
-- Logs of arrivals only do not show when a request is in flight.
WITH ending AS (
    SELECT
        count(*) AS traces,
        count(*) FILTER (WHERE n.text <> 'C') AS without,
        count(*) FILTER (WHERE n.text <> 'C' AND EXISTS (
            SELECT 1 FROM main.name AS c WHERE c.trace = s.trace AND c.kind = 'action' AND c.text = 'C')) AS chosen,
        min(n.text) FILTER (WHERE n.text <> 'C') AS action
    FROM temp.selection AS s
    LEFT JOIN main.name AS n ON n.id = s.action
)
SELECT printf('%s: %s are gaps between I/Os (%s), not idle times',
    iif(chosen > 0, 'completions are not counted', 'no completions in '
        || iif(traces = 1, 'this log', without || ' of ' || traces || ' traces')),
    iif(without = traces, 'times', 'the times of these'), action)
FROM ending
WHERE without > 0;
-- remark definition
SELECT printf('idle: no I/O in flight; in flight from queue (Q) on: %d I/Os, from issue (D) on: %d, '
    || 'only at completion (no Q or D in the log): %d', asked, issued, completed)
FROM temp.in_flight
WHERE EXISTS (SELECT 1 FROM temp.selection AS s LEFT JOIN main.name AS n ON n.id = s.action
    WHERE n.text IS NULL OR n.text = 'C');
-- remark excluded
SELECT counted(unanswered, 'idle time{ ends|s end} at an I/O without a completion in the log')
FROM temp.in_flight
WHERE unanswered > 0;
-- remark loss
SELECT 'idle times too long: ' || counted(overlooked, 'I/O{s} began too long before {its|their} completion to be remembered')
FROM temp.in_flight
WHERE overlooked > 0;
