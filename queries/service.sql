-- report: service
-- question: How long were components in use?
-- title: Service times of components
-- kinds: spans
-- clocks: any
-- parameter: begin text onCreate "the method whose entry begins a component's service"
-- parameter: end text onDestroy "the method whose exit ends the service"
-- column: component text - - the component of the application
-- column: pid number - - process ID
-- column: start time ns - start, since the start of the trace
-- column: service duration ns - how long the service ran
-- column: ended text - - how the service ended
-- column: trace text - if several - the trace
--
-- Row per service of a component, which is the class of the method. An end belongs to the earliest
-- open service of its component and process. Logs do not show which of several services ended; the
-- sum of times does not depend on it. A service without an end lasts until the end of the log.
WITH
    -- include: service
SELECT
    v.component,
    v.pid,
    v.start,
    ifnull(v.end, iif(s.whole, t.last_time, NULL)) - v.start,
    iif(v.end NOT NULL, :end, iif(s.whole, 'log', NULL)),
    t.name
FROM served AS v
JOIN temp.selection AS s ON s.trace = v.trace
JOIN main.trace AS t ON t.id = v.trace
ORDER BY s.place, v.start, v.id
LIMIT ifnull(:top, -1);
-- remark excluded
WITH
    -- include: service
    -- One statement for all remarks, so that events are read once.
SELECT text FROM (
    SELECT 'services without an end in the log: ' || count(*) AS text FROM served WHERE end IS NULL
    HAVING count(*)
    UNION ALL
    SELECT 'excluded, ends of services without a begin in the log: ' || sum(strays) FROM (
        SELECT max(strays) AS strays FROM numbered GROUP BY trace, pid, component)
    HAVING sum(strays) > 0
    UNION ALL
    SELECT 'overlapping services of one component: an end belongs to the service that began first'
    WHERE EXISTS (SELECT 1 FROM numbered WHERE begins - ends + strays > 1)
    UNION ALL
    SELECT 'no call named ' || :begin
    WHERE NOT EXISTS (SELECT 1 FROM method WHERE NOT is_end)
);
-- include: outlying-remark
