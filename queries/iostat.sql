-- report: iostat
-- title: Devices over time, as iostat -x
-- question: How busy was each device, second by second?
-- fact: times report
-- kinds: io
-- instead: rate
-- options: interval
-- tally: iostat
-- plot: none
-- fact: reads-and-writes report
-- fact: sizes columns rkB/s rareq-sz wkB/s wareq-sz dkB/s dareq-sz
-- fact: flushes columns d/s dkB/s drqm/s %drqm d_await dareq-sz f/s f_await
-- fact: latencies columns r_await w_await d_await f_await aqu-sz %util
-- worth: time r/s w/s rkB/s wkB/s r_await w_await %util aqu-sz f_await f/s
-- column: time time s - time since the start of the trace; for an interval, its start
-- column: Device text - - the device, as MAJOR:MINOR; none if the log does not name devices
-- column: r/s real 1/s more read requests completed per second
-- column: rkB/s real KiB/s more KiB read per second
-- column: rrqm/s real 1/s - reads merged into others, per second
-- column: %rrqm real % - share of reads merged into others
-- column: r_await real ms less mean time of reads, with the time in the queue
-- column: rareq-sz real KiB - mean size of reads
-- column: w/s real 1/s more write requests completed per second, with those that only flush
-- column: wkB/s real KiB/s more KiB written per second
-- column: wrqm/s real 1/s - writes merged into others, per second
-- column: %wrqm real % - share of writes merged into others
-- column: w_await real ms less mean time of writes, with the time in the queue
-- column: wareq-sz real KiB - mean size of writes
-- column: d/s real 1/s more discard requests completed per second
-- column: dkB/s real KiB/s more KiB discarded per second
-- column: drqm/s real 1/s - discards merged into others, per second
-- column: %drqm real % - share of discards merged into others
-- column: d_await real ms less mean time of discards, with the time in the queue
-- column: dareq-sz real KiB - mean size of discards
-- column: f/s real 1/s more flushes of the device per second
-- column: f_await real ms less mean time of flushes of the device
-- column: aqu-sz real - - mean number of requests in the queue or on the device
-- column: %util real % - share of the time that the device was busy
-- column: trace text - if several - the trace
--
-- Merges the four rows per interval and device of a trace.
WITH
-- include: rate-second
,
group_row AS (
    SELECT
        t.interval, t.device, t.what, t.start, t.length, t.busy, t.time, t.trace, t.weight,
        t.count * second / t.length AS rate,
        t.bytes / 1024.0 * second / t.length AS kilobytes,
        t.merges * second / t.length AS merges,
        iif(t.merges IS NULL, NULL, ifnull(100.0 * t.merges / nullif(t.merges + t.count, 0), 0.0)) AS merged,
        -- As in iostat, the mean of no I/Os is 0.
        iif(t.count = 0 AND t.time IS NOT NULL, 0.0, 1e3 * t.time / second / nullif(t.timed, 0)) AS await,
        ifnull(t.bytes / 1024.0 / nullif(t.count, 0), 0.0) AS size
    FROM temp.tally_iostat AS t
    CROSS JOIN clock
)
SELECT
    r.start, ifnull((r.device >> 20) || ':' || (r.device & 1048575), ''),
    r.rate, r.kilobytes, r.merges, r.merged, r.await, r.size,
    w.rate, w.kilobytes, w.merges, w.merged, w.await, w.size,
    d.rate, d.kilobytes, d.merges, d.merged, d.await, d.size,
    f.rate, f.await,
    (0.0 + r.weight + w.weight + d.weight + f.weight) / r.length,
    100.0 * r.busy / r.length, c.name
FROM group_row AS r
JOIN group_row AS w ON w.interval = r.interval AND w.trace = r.trace AND w.device IS r.device AND w.what = 1
JOIN group_row AS d ON d.interval = r.interval AND d.trace = r.trace AND d.device IS r.device AND d.what = 2
JOIN group_row AS f ON f.interval = r.interval AND f.trace = r.trace AND f.device IS r.device AND f.what = 3
JOIN temp.selection AS s ON s.trace = r.trace
JOIN main.trace AS c ON c.id = r.trace
WHERE r.what = 0
ORDER BY r.interval, s.place, r.device;
-- remark definition
WITH
-- include: rate-second
SELECT printf('intervals of %s from the start of %s; the first and last may be partial, with rates too low',
    iif(second IS NULL, counted(length, 'unit{s}'), rtrim(rtrim(printf('%.9f', length / second), '0'), '.') || ' s'),
    iif((SELECT count(*) FROM temp.selection) > 1, 'each trace', 'the trace'))
FROM temp.tally_iostat
CROSS JOIN clock
LIMIT 1;
-- include: loss-remark
-- include: outlying-remark
