-- report: findings
-- title: syncs wait while the device is idle
-- kinds: calls
-- needs: value=result
-- tally: busy_beside thread_found
-- weight: weight time
-- say: fsync or fdatasync was under way for {asked} of {time}, but the device worked on an I/O for only {busy} of that, {value}
-- look: report waits --op 'f*sync'
-- why: They wait above the device: for the journal, for a lock of the file system, or for a processor.
-- unless: The file lies on a device that the log does not have, or in memory.
-- source: As device-idle: a fifth is tracetool's own choice.
-- parameter: sync-device-idle-share real 0.2 "share of the time with a sync"
-- parameter: sync-device-idle-time duration 100ms "least time in syncs"
-- column: fires int
-- column: value share
-- column: threshold share
-- column: weight share
-- column: asked duration
-- column: busy duration
-- column: time duration
-- NULL if the log has no block I/O, or no durations of syncs.
WITH item AS (
    SELECT b.asked, b.device AS busy, t.time
    FROM temp.tally_busy_beside AS b, (SELECT max(last) - min(first) AS time FROM temp.thread_found) AS t
)
SELECT 1.0 * busy / asked < :sync_device_idle_share AND asked >= :sync_device_idle_time AS fires, 1.0 * busy / asked AS value,
    :sync_device_idle_share AS threshold, min(1.0, 1.0 * (asked - busy) / nullif(time, 0)) AS weight, asked, busy, time
FROM (SELECT 1 FROM temp.selection AS s JOIN main.name AS n ON n.trace = s.trace WHERE n.text IN ('fsync', 'fdatasync') LIMIT 1)
LEFT JOIN item ON asked > 0
