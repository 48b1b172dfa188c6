-- remark
-- Of logs of arrivals only it is not known when a request is in flight.
WITH ending AS (
    SELECT
        count(*) AS traces,
        count(*) FILTER (WHERE n.text <> 'C') AS without,
        min(n.text) FILTER (WHERE n.text <> 'C') AS action
    FROM temp.selection AS s
    LEFT JOIN main.name AS n ON n.id = s.action
)
SELECT printf('nothing completes in %s: %s are between I/Os (%s), not idle times',
    iif(traces = 1, 'this log', without || ' of ' || traces || ' traces'),
    iif(without = traces, 'times', 'the times of these'), action)
FROM ending
WHERE without > 0;
-- remark
SELECT printf('nothing in flight; of the I/Os, %d are in flight since they were asked for (Q), %d since '
    || 'their issue (D), %d have neither and count when they complete', asked, issued, completed)
FROM temp.in_flight
WHERE EXISTS (SELECT 1 FROM temp.selection AS s LEFT JOIN main.name AS n ON n.id = s.action
    WHERE n.text IS NULL OR n.text = 'C');
-- remark
SELECT printf('%d of all idle times end where an I/O was asked for or issued whose completion is not known',
    unanswered)
FROM temp.in_flight
WHERE unanswered > 0;
-- remark
SELECT printf('%d I/Os began before idle times that stood already: these are too long', overlooked)
FROM temp.in_flight
WHERE overlooked > 0;
