-- report: overview
-- question: What is in the trace, and what stands at the top?
-- title: Overview
-- kinds: samples
-- needs: value=counter
-- events: yes
-- plot: none
-- blank: most
-- column: figure text - - what the value says
-- column: most text - - what of it comes first, or where it is
-- column: value any - - the value
WITH by_counter AS MATERIALIZED (
    SELECT n.text AS name, count(*) AS samples, min(e.value) AS least, max(e.value) AS most
    FROM temp.selected_event AS e
    CROSS JOIN main.name AS n ON n.id = e.operation
    GROUP BY n.text
)
SELECT 'counters' AS figure,
    (SELECT group_concat(printf('%s %lld to %lld', name, least, most), ', ')
        FROM (SELECT * FROM by_counter ORDER BY samples DESC, name LIMIT 3)) AS most,
    (SELECT count(*) FROM by_counter) AS value, 'integer' AS _kind
UNION ALL SELECT 'samples', NULL, (SELECT ifnull(sum(samples), 0) FROM by_counter), 'integer'
UNION ALL SELECT 'run time', NULL, (SELECT ifnull(sum(t.last_time - t.first_time), 0)
    FROM temp.selection AS x CROSS JOIN main.trace AS t ON t.id = x.trace),
    (SELECT iif(min(t.clock_unit) = 'ns', 'duration', 'integer')
        FROM temp.selection AS x CROSS JOIN main.trace AS t ON t.id = x.trace)
UNION ALL SELECT 'log size', NULL, (SELECT sum(f.size) FROM temp.selection AS s
    CROSS JOIN main.source AS f ON f.trace = s.trace), 'bytes';
