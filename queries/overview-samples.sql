-- report: overview
-- question: What is in the trace, and what stands at the top?
-- title: Overview
-- kinds: samples
-- needs: value=load
-- events: yes
-- plot: none
-- blank: most
-- column: figure text - - what the value says
-- column: most text - - what of it comes first, or where it is
-- column: value any - - the value
WITH counts AS (
    SELECT count(*) AS samples, count(DISTINCT e.actor) AS processes FROM temp.selected_event AS e
),
busiest AS (
    SELECT a.name, e.value / 1e6 AS load FROM temp.selected_event AS e
    LEFT JOIN main.actor AS a ON a.id = e.actor
    WHERE e.value IS NOT NULL ORDER BY e.value DESC, e.id LIMIT 1
),
largest AS (
    SELECT a.name, e.size FROM temp.selected_event AS e
    LEFT JOIN main.actor AS a ON a.id = e.actor
    WHERE e.size IS NOT NULL ORDER BY e.size DESC, e.id LIMIT 1
)
SELECT 'samples' AS figure, NULL AS most, samples AS value, 'integer' AS _kind FROM counts
UNION ALL SELECT 'processes', NULL, processes, 'integer' FROM counts
UNION ALL SELECT 'run time', NULL, (SELECT ifnull(sum(e.time - b.time), 0)
        FROM temp.selection AS x
        CROSS JOIN main.event AS b ON b.id = x.first_event
        CROSS JOIN main.event AS e ON e.id = x.last_event
        WHERE x.first_event <= x.last_event), 'duration'
UNION ALL SELECT 'highest CPU load', name, load, 'share' FROM busiest
UNION ALL SELECT 'most memory', name, size, 'bytes' FROM largest
UNION ALL SELECT 'log size', NULL, (SELECT sum(f.size) FROM temp.selection AS s
    CROSS JOIN main.source AS f ON f.trace = s.trace), 'bytes';
