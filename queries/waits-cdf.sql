-- report: waits
-- question: What do threads wait for?
-- title: Times of calls that wait
-- when: cdf
-- kinds: calls
-- needs: duration=call
-- needs: value=result
-- events: yes
-- plot: ecdf
-- curves: 6
-- order: count
-- key: waits_for
-- column: waits_for text - - what the call waits for, and what it is called in the log
-- include: percentiles-columns
-- include: curve-columns
--
-- Calls that wait, and what for, are those of waits.sql.
SELECT
    d.name AS waits_for,
    -- include: percentiles
    ,
    -- include: curve
-- include: curve-from
ORDER BY d.count DESC, d.name, c.value
LIMIT ifnull(:rows, -1);
-- distribution
SELECT name, duration
FROM (
    WITH
    descriptors AS MATERIALIZED (
        SELECT o.id, descriptor_wait(o.name, o.type) AS leads_to
        FROM temp.selection AS s
        CROSS JOIN main.object AS o ON o.trace = s.trace
    ),
    -- Found out once a call and what descriptors lead to, for there may be a million events.
    waits AS MATERIALIZED (
        SELECT n.id, d.leads_to, call_wait(n.text, d.leads_to) || ': ' || n.text AS name
        FROM temp.selection AS s
        CROSS JOIN main.name AS n ON n.trace = s.trace
        CROSS JOIN (SELECT leads_to FROM descriptors UNION SELECT descriptor_wait(NULL, NULL)) AS d
    )
    SELECT w.name, e.duration
    FROM temp.selected_event AS e
    LEFT JOIN descriptors AS d ON d.id = e.object
    CROSS JOIN waits AS w ON w.id = e.operation AND w.leads_to = ifnull(d.leads_to, descriptor_wait(NULL, NULL))
    WHERE e.duration IS NOT NULL AND w.name IS NOT NULL
)
