-- report: queue
-- title: I/Os in flight over time
-- kinds: io
-- when: timeline
-- options: interval q2c
-- tally: queue
-- plot: queue-timeline
-- column: time time s
-- column: depth real
-- column: max integer
-- column: busy share fraction
-- column: issued integer
-- fact: latencies report
--
-- A row an interval, the empty ones included. `depth` is the mean over time, `busy` the part in which
-- anything was in flight.
SELECT start, 1.0 * in_flight / length, deepest, 1.0 * busy / length, issued
FROM temp.queue_interval
ORDER BY start;
-- remark
WITH
-- include: rate-second
SELECT printf('intervals of %.9g %s from the start of %s; the first and last may be partial',
    length / ifnull(second, 1), iif(second IS NULL, 'units', 's'),
    iif((SELECT count(*) FROM temp.selection) > 1, 'each trace: traces are added up', 'the trace'))
FROM temp.queue_interval
CROSS JOIN clock
LIMIT 1;
-- include: queue-remark
