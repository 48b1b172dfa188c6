-- report: overhead
-- title: What measuring cost
-- kinds: spans
-- clocks: any
-- tally: span
-- column: trace text
-- column: bytes bytes bytes
-- column: events integer
-- column: bytes_per_event real bytes
-- column: probes integer
-- column: time_added duration ns
-- column: time_share share fraction
--
-- A row a trace. Files without events, such as probe lists, do not count. A call is one firing of
-- its probe, which cost what the configuration says for its origin, else what the log itself says.
SELECT
    t.name,
    f.bytes,
    t.events,
    1.0 * f.bytes / nullif(t.events, 0),
    c.calls,
    c.added,
    1.0 * c.added / nullif(t.last_time - t.first_time, 0)
FROM temp.selection AS s
CROSS JOIN main.trace AS t ON t.id = s.trace
JOIN (
    SELECT y.trace, sum(b.size) AS bytes
    FROM temp.selection AS y
    CROSS JOIN main.source AS b ON b.trace = y.trace
    WHERE b.events > 0
    GROUP BY y.trace
) AS f ON f.trace = t.id
JOIN (
    SELECT x.trace, sum(x.calls) AS calls,
        sum_time(x.calls * ifnull(probe_overhead(p.origin), v.call_overhead)) AS added
    FROM temp.tally_span AS x
    JOIN main.trace AS v ON v.id = x.trace
    LEFT JOIN main.probe AS p ON p.trace = x.trace AND p.name = x.operation
    GROUP BY x.trace
) AS c ON c.trace = t.id
ORDER BY t.id
LIMIT ifnull(:top, -1);
