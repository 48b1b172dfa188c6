-- report: summary
-- question: What are the key figures of the trace?
-- title: Summary
-- kinds: samples
-- needs: value=counter
-- events: yes
-- plot: none
-- column: attribute text - - what the value says
-- column: value any - - the value
-- compare: rows key=attribute value=value
WITH counts AS (
    SELECT count(*) AS samples, count(DISTINCT e.operation) AS counters FROM temp.selected_event AS e
)
SELECT 'run time' AS attribute, (SELECT sum(l.time - f.time) FROM temp.selection AS s
    JOIN main.event AS f ON f.id = s.first_event
    JOIN main.event AS l ON l.id = s.last_event
    WHERE s.first_event <= s.last_event) AS value,
    (SELECT iif(min(t.clock_unit) = 'ns', 'duration', 'integer')
        FROM temp.selection AS x CROSS JOIN main.trace AS t ON t.id = x.trace) AS _kind
UNION ALL SELECT 'samples', samples, 'integer' FROM counts
UNION ALL SELECT 'counters', counters, 'integer' FROM counts
UNION ALL SELECT 'log size', (SELECT sum(f.size) FROM temp.selection AS s
    CROSS JOIN main.source AS f ON f.trace = s.trace), 'bytes';
