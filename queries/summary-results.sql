-- report: summary
-- question: What are the key figures of the trace?
-- title: Summary
-- kinds: results
-- events: yes
-- plot: none
-- column: attribute text - - what the value says
-- column: value any - - the value
-- compare: rows key=attribute value=value
WITH counts AS (
    SELECT count(*) AS measured, count(DISTINCT e.actor) AS tests
    FROM temp.selected_event AS e
)
SELECT 'values' AS attribute, measured AS value, 'integer' AS _kind FROM counts
UNION ALL SELECT 'tests', tests, 'integer' FROM counts WHERE tests > 0 OR measured = 0
UNION ALL SELECT 'log size', (SELECT sum(f.size) FROM temp.selection AS s
    CROSS JOIN main.source AS f ON f.trace = s.trace), 'bytes';
