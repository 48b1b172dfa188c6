-- report: summary
-- question: What are the key figures of the trace?
-- title: Summary
-- kinds: samples
-- needs: value=load
-- events: yes
-- plot: none
-- column: attribute text - - what the value says
-- column: value any - - the value
-- compare: rows key=attribute value=value
WITH counts AS (
    SELECT count(*) AS samples, count(DISTINCT e.actor) AS processes,
        max(e.value) / 1e6 AS most, max(e.size) AS peak
    FROM temp.selected_event AS e
)
SELECT 'run time' AS attribute, (SELECT sum(l.time - f.time) FROM temp.selection AS s
    JOIN main.event AS f ON f.id = s.first_event
    JOIN main.event AS l ON l.id = s.last_event
    WHERE s.first_event <= s.last_event) AS value, 'duration' AS _kind
UNION ALL SELECT 'samples', samples, 'integer' FROM counts
UNION ALL SELECT 'processes', processes, 'integer' FROM counts
UNION ALL SELECT 'highest CPU load of a process', most, 'share' FROM counts WHERE most NOT NULL
UNION ALL SELECT 'most memory of a process', peak, 'bytes' FROM counts WHERE peak NOT NULL
UNION ALL SELECT 'log size', (SELECT sum(f.size) FROM temp.selection AS s
    CROSS JOIN main.source AS f ON f.trace = s.trace), 'bytes';
