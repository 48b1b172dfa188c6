-- report: overhead
-- question: How much time did the measurement itself cost?
-- title: Cost of measuring
-- kinds: spans
-- clocks: any
-- options: against
-- tally: span
-- window: begun
-- worth: bytes time_added extra_share time_share events probes
-- column: trace text - - the trace
-- column: bytes bytes bytes - number of bytes
-- column: events int - - number of events
-- column: bytes_per_event real bytes less bytes of the log per event
-- column: probes int - - number of times that probes ran
-- column: time_added duration ns less time that measuring added
-- column: time_share share fraction - share of all time
-- column: run_time duration ns if against - how long the program ran
-- column: extra_time duration ns if against less time that measuring added
-- column: extra_share share fraction if against less time that measuring added, as a share of the run without it
-- compare: rows
--
-- Row per trace. Files without events, such as probe lists, do not count. A call is one firing of
-- its probe. Its cost is that of the configuration for the probe's origin, else that of the log.
-- The run time is from the first to the last record of the log. `extra` is the run time minus that
-- of --against.
SELECT
    t.name,
    f.bytes,
    t.events,
    1.0 * f.bytes / nullif(t.events, 0),
    c.calls,
    c.added,
    1.0 * c.added / nullif(t.last_time - t.first_time, 0),
    iif(t.clock_unit = 'records', NULL, t.last_time - t.first_time),
    t.last_time - t.first_time - (r.last_time - r.first_time),
    1.0 * (t.last_time - t.first_time - (r.last_time - r.first_time))
        / nullif(r.last_time - r.first_time, 0)
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
-- Counter units cannot be compared.
LEFT JOIN main.trace AS r ON r.id = :against AND r.clock_unit = 'ns' AND t.clock_unit = 'ns'
ORDER BY s.place
LIMIT ifnull(:top, -1);
-- remark definition
SELECT 'extra: compared with the run time of trace ' || name || ', first to last record: '
    || iif(clock_unit = 'ns', printf('%.6f s', (last_time - first_time) / 1e9),
        'unknown, counted in ' || clock_unit)
FROM main.trace WHERE id = :against;
-- remark definition
SELECT 'probes and time_added count the selected calls; other columns, and the total of time_share, count whole traces'
FROM temp.selection
WHERE filtered OR NOT whole
LIMIT 1;
-- include: outlying-remark
