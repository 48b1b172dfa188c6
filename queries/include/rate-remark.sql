-- remark definition
-- Length of the intervals, and the covered parts of the first and the last.
WITH
-- include: rate-second
SELECT printf('intervals of %s from the start of %s; selected time: %.9g to %.9g; the first and last may be '
        || 'partial, with rates too low',
    iif(second IS NULL, counted(i.length, rtrim(unit, 's') || '{s}'), rtrim(rtrim(printf('%.9f', i.length / second), '0'), '.') || ' s'),
    iif(traces > 1, 'each trace', 'the trace'),
    first / ifnull(second, 1), last / ifnull(second, 1))
FROM clock
JOIN (SELECT length, first, last FROM temp.rate_interval LIMIT 1) AS i
JOIN (
    SELECT count(*) AS traces, t.clock_unit AS unit
    FROM temp.selection AS s
    CROSS JOIN main.trace AS t ON t.id = s.trace
    WHERE s.first_event <= s.last_event
) AS seen;
-- include: loss-remark
-- include: unpaired-calls
