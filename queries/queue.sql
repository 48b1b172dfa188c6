-- report: queue
-- question: How many I/Os are in flight?
-- fact: times report
-- part: hwq
-- title: Commands in flight, by hardware queue
-- kinds: io
-- instead: waits
-- instead: blocked
-- when: by = hwq
-- needs: depth=queue
-- tally: queue_hardware
-- key: hwq
-- compare: rows
-- plot: none
-- worth: hwq commands depth busy mean max share bytes
-- column: hwq int - - the number of the hardware queue
-- column: commands int - - commands sent to the device through this queue
-- column: share share fraction - share of all
-- column: bytes bytes bytes - number of bytes
-- column: depth real - - mean number of I/Os in flight
-- column: max int - - maximum
-- column: busy share fraction - share of the time that an I/O was in flight
-- column: mean duration ns less mean
-- part: timeline main
-- page: 22
-- kinds: io
-- tally: queue
-- part: timeline
-- title: I/Os in flight over time
-- when: timeline
-- options: interval q2c
-- plot: queue-timeline
-- fact: latencies report
-- column: time time s - time since the start of the trace; for an interval, its start
-- column: depth real - - mean number of I/Os in flight
-- column: max int - - maximum
-- column: busy share fraction - share of the time that an I/O was in flight
-- column: issued int - - I/Os that were issued in the interval
-- Row per interval, including empty ones. `depth` is the mean over time; `busy` is the share of
-- time with I/Os in flight; both are means over the traces that last until then.
-- part: main
-- title: I/Os in flight
-- options: q2c
-- compare: rows key=depth value=share,seen_share alone
-- column: depth int - - I/Os in flight, or nesting depth of the calls
-- column: time duration ns - total time
-- column: share share fraction - share of all
-- column: cumulative share fraction - cumulative share
-- column: seen int - - number of I/Os that were issued while this number of others was in flight
-- column: seen_share share fraction - share of all I/Os
-- column: seen_cumulative share fraction if cdf - cumulative share of all I/Os
-- Row per number of I/Os in flight that occurred: its duration, and the number of I/Os
-- issued with this number of others in flight.
-- part: timeline main
--
-- part: hwq
SELECT
    queue,
    commands,
    1.0 * commands / sum(commands) OVER (),
    bytes,
    1.0 * took / nullif(length, 0),
    most,
    1.0 * busy / nullif(length, 0),
    1.0 * took / commands
FROM temp.hardware_queue
ORDER BY queue;
-- remark definition
SELECT 'in flight: from sending to the device (D) to its response (C); means and shares are over the time from the first to the last I/O'
FROM temp.hardware_queue
LIMIT 1;
-- include: loss-remark
-- part: main
SELECT
    depth,
    time,
    time / nullif(total(time) OVER (), 0) AS share,
    total(time) OVER (ORDER BY depth) / nullif(total(time) OVER (), 0) AS cumulative,
    seen,
    1.0 * seen / sum(seen) OVER () AS seen_share,
    1.0 * sum(seen) OVER (ORDER BY depth) / sum(seen) OVER () AS seen_cumulative
FROM temp.tally_queue
ORDER BY depth;
-- remark
-- Sums of times are REAL: with a damaged database they can exceed integers.
WITH
-- include: rate-second
SELECT printf('I/Os in flight: mean %s, maximum %d; at least one for %s %% of %s %s%s',
    ifnull(three_digits(iif(:people, mean, NULL)), printf('%.6g', mean)), most,
    ifnull(three_digits(iif(:people, above, NULL)), printf('%.6g', above)),
    ifnull(three_digits(iif(:people, time, NULL)), printf('%.9g', time)), unit,
    -- Without issued I/Os there is no mean.
    ifnull('; others in flight at arrival: mean '
        || iif(others IS NULL, NULL, ifnull(three_digits(iif(:people, others, NULL)), printf('%.6g', others))), ''))
FROM (
    SELECT
        sum(1.0 * depth * time) / total(time) AS mean,
        max(depth) FILTER (WHERE time > 0) AS most,
        100.0 * total(time) FILTER (WHERE depth > 0) / total(time) AS above,
        total(time) / ifnull(second, 1) AS time,
        iif(second IS NULL, 'units', 's') AS unit,
        sum(1.0 * depth * seen) / nullif(sum(seen), 0) AS others
    FROM temp.tally_queue
    CROSS JOIN clock
    HAVING total(temp.tally_queue.time) > 0
);
-- part: timeline
SELECT start, 1.0 * in_flight / length / traces, deepest, 1.0 * busy / length / traces, issued
FROM temp.queue_interval
ORDER BY start;
-- remark definition
WITH
-- include: rate-second
SELECT printf('intervals of %s from the start of %s; the first and last may be partial',
    iif(second IS NULL, counted(length, 'unit{s}'), rtrim(rtrim(printf('%.9f', length / second), '0'), '.') || ' s'),
    iif((SELECT count(*) FROM temp.selection) > 1, 'each trace; depth and busy are means over the traces', 'the trace'))
FROM temp.queue_interval
CROSS JOIN clock
LIMIT 1;
-- part: timeline main
-- remark definition
SELECT iif(:q2c IS NULL, 'in flight: issue (D) to completion (C)', 'in flight: queue (Q) to completion (C)')
    || '; at equal times completions first';
-- include: loss-remark
