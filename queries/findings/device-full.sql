-- report: findings
-- title: I/Os nearly always in flight
-- kinds: io
-- tally: queue
-- weight: value time
-- say: I/Os were in flight for {busy} of {time}, {value}; {mean} on average
-- look: report queue
-- why: A new I/O waits for the earlier ones, unless the device works on several at once.
-- unless: It is a benchmark, or the device works on many I/Os at once.
-- source: iostat(1) calls a device that serves one request at a time saturated near 100 % utilisation; 95 % is tracetool's own choice.
-- parameter: device-full-share real 0.95 "share of the time"
-- parameter: device-full-time duration 1s "least length of the log"
-- column: fires int
-- column: value share
-- column: threshold share
-- column: busy duration
-- column: time duration
-- column: mean real
WITH item AS (
    SELECT total(time) AS time, total(iif(depth > 0, time, 0)) AS busy, total(1.0 * depth * time) AS depths
    FROM temp.tally_queue
)
SELECT iif(time > 0, busy / time > :device_full_share AND time >= :device_full_time, NULL) AS fires, busy / time AS value,
    :device_full_share AS threshold, CAST(busy AS INTEGER) AS busy, CAST(time AS INTEGER) AS time, depths / time AS mean
FROM item
