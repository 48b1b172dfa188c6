-- report: overview
-- question: What is in the trace, and what stands at the top?
-- title: Overview
-- kinds: results
-- events: yes
-- plot: none
-- blank: most
-- column: figure text - - what the value says
-- column: most text - - what of it comes first, or where it is
-- column: value any - - the value
WITH counts AS (
    SELECT count(*) AS measured, count(DISTINCT e.actor) AS tests FROM temp.selected_event AS e
)
SELECT 'values' AS figure, NULL AS most, measured AS value, 'integer' AS _kind FROM counts
UNION ALL SELECT 'tests', NULL, tests, 'integer' FROM counts WHERE tests > 0 OR measured = 0
UNION ALL SELECT 'log size', NULL, (SELECT sum(f.size) FROM temp.selection AS s
    CROSS JOIN main.source AS f ON f.trace = s.trace), 'bytes';
