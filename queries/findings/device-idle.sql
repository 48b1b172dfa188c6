-- report: findings
-- title: I/Os wait while the device is idle
-- kinds: io
-- tally: busy
-- weight: weight time
-- say: I/Os were pending for {asked} of {time}, but the device worked on one for only {busy} of that, {value}
-- look: report stages
-- why: The I/Os wait above the device: in the scheduler, in a plug, or to be merged.
-- unless: A limit on I/O is set (cgroups), or I/O of the idle class waits for others.
-- source: btt's manual calls the time from Q to D overhead of the block layer; a fifth is tracetool's own choice.
-- parameter: device-idle-share real 0.2 "share of the time in which I/Os were pending"
-- parameter: device-idle-time integer 100 "least time in milliseconds in which I/Os were pending"
-- column: fires int
-- column: value share
-- column: threshold share
-- column: weight share
-- column: asked duration
-- column: busy duration
-- column: time duration
WITH item AS (
    SELECT b.asked, iif(b.asked > 0, b.device, NULL) AS busy, s.time,
        iif(t.clock_unit = 'ns', b.asked >= 1000000 * :device_idle_time, NULL) AS is_long
    FROM temp.tally_busy AS b
    JOIN main.trace AS t ON t.id = b.trace
    JOIN temp.selection AS s ON s.trace = b.trace
)
SELECT iif(asked > 0, 1.0 * busy / asked < :device_idle_share AND is_long, NULL) AS fires, 1.0 * busy / asked AS value,
    :device_idle_share AS threshold, min(1.0, 1.0 * (asked - busy) / nullif(time, 0)) AS weight, asked, busy, time
FROM item
