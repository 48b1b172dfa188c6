-- report: hotspots
-- question: Which items of a profile take the most time?
-- title: Time by item of a profile
-- kinds: spans
-- instead: syscalls
-- options: resolution within root min-time min-calls
-- tally: hotspot depth
-- worth: corrected share calls measured
-- blank: rounds
-- column: name text - - name in the log
-- column: resolution text - - kind of rows: components, classes, functions
-- column: calls int - - number of calls
-- column: measured duration ns - measured time
-- column: corrected duration ns - time minus the cost of measuring its callees
-- column: share share fraction - share of all
-- column: rounds text - if study - profiling rounds of the study in which it was measured
-- compare: times key=name,resolution calls=calls time=corrected
--
-- `measured` sums the calls of an item that are not nested in other calls of it. `corrected`
-- subtracts the cost of the probes inside. An item without a duration has no times. Shares are
-- relative to --within, else to all items of the level.
WITH named AS (
    SELECT
        CASE h.level WHEN 0 THEN ifnull(n.text, 'process ' || ifnull(a.pid, t.name))
            WHEN 1 THEN ifnull(n.text, l.label) ELSE n.text END AS name,
        h.resolution,
        h.calls,
        h.measured,
        h.corrected,
        t.round
    FROM temp.tally_hotspot AS h
    CROSS JOIN main.trace AS t ON t.id = h.trace
    -- An id is that of a name. Without probes it is that of a thread, or 0.
    LEFT JOIN main.name AS n ON n.id = h.id AND n.trace = h.trace
        AND (h.level > 1 OR EXISTS (SELECT 1 FROM main.probe AS p WHERE p.trace = h.trace))
    LEFT JOIN main.actor AS a ON a.id = h.actor
    LEFT JOIN temp.thread AS l ON l.id = h.actor
),
bases AS MATERIALIZED (
    SELECT resolution, total(measured) AS measured FROM temp.hotspot_base GROUP BY resolution
)
SELECT
    name,
    resolution,
    sum(calls) AS calls,
    sum_time(measured) AS measured,
    sum_time(corrected) AS corrected,
    sum_time(measured) / nullif((SELECT b.measured FROM bases AS b
        WHERE b.resolution = named.resolution), 0.0) AS share,
    group_concat(DISTINCT round) AS rounds
FROM named
GROUP BY name, resolution
HAVING sum(calls) >= ifnull(:min_calls, 0)
ORDER BY measured DESC, name, resolution
LIMIT ifnull(:top, -1);
-- remark loss
SELECT text FROM temp.span_remark;
