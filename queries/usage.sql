-- report: usage
-- page: 10
-- question: Which processes use CPU and memory?
-- title: CPU load and memory by process
-- kinds: samples
-- needs: value=load
-- events: yes
-- options: against
-- worth: cpu_mean cpu_max memory_max memory_mean samples
-- column: process text - - the process
-- column: pid number - - process ID
-- column: samples int - - number of samples
-- column: cpu_mean share fraction less mean CPU load
-- column: cpu_max share fraction less highest CPU load of a sample
-- column: memory_mean bytes bytes less mean memory in use
-- column: memory_max bytes bytes less largest memory of a sample
-- column: trace text - if several - the trace
-- column: cpu_extra share fraction if against less CPU load minus that of the reference
-- column: memory_extra share fraction if against less memory above that of the reference, as a share of the reference
-- compare: rows key=process value=samples,cpu_mean,cpu_max,memory_mean,memory_max
--
-- Means are over the samples that have the figure. `extra` compares to the process of that name in
-- --against: the difference of load in processors, and the relative difference of memory.
WITH reference AS MATERIALIZED (
    SELECT a.name, avg(e.value) / 1e6 AS cpu, avg(e.size) AS memory
    FROM main.trace AS t
    CROSS JOIN main.event AS e ON e.id BETWEEN t.first_event AND t.last_event
    CROSS JOIN main.actor AS a ON a.id = e.actor
    WHERE t.id = :against AND t.kind = 'samples'
    GROUP BY a.name
),
used AS (
    SELECT e.trace, a.name, a.pid, count(*) AS samples,
        avg(e.value) / 1e6 AS cpu, max(e.value) / 1e6 AS most,
        avg(e.size) AS memory, max(e.size) AS peak
    FROM temp.selected_event AS e
    LEFT JOIN main.actor AS a ON a.id = e.actor
    GROUP BY e.trace, a.name, a.pid
)
SELECT u.name, u.pid, u.samples, u.cpu, u.most, CAST(round(u.memory) AS INTEGER), u.peak, t.name,
    u.cpu - r.cpu, u.memory / nullif(r.memory, 0) - 1
FROM used AS u
JOIN main.trace AS t ON t.id = u.trace
JOIN temp.selection AS s ON s.trace = u.trace
LEFT JOIN reference AS r ON r.name = u.name
ORDER BY u.cpu DESC, u.memory DESC, u.name, u.pid, s.place
LIMIT ifnull(:top, -1);
-- remark definition
SELECT 'means: over samples, not weighted by time';
-- remark
SELECT 'trace ' || name || ' holds no samples: nothing is compared'
FROM main.trace WHERE id = :against AND kind <> 'samples';
