-- report: queue
-- title: Commands in flight, by hardware queue
-- question: How many I/Os are in flight?
-- kinds: io
-- when: by = hwq
-- needs: depth=queue
-- tally: queue_hardware
-- key: hwq
-- compare: rows
-- plot: none
-- worth: hwq commands depth busy mean max share bytes
-- column: hwq int - - the number of the hardware queue
-- column: commands int - - how many commands were sent to the device through it
-- column: share share fraction - share of all
-- column: bytes bytes bytes - how many bytes
-- column: depth real - - how many were in flight on average
-- column: max int - - the largest
-- column: busy share fraction - share of the time in which anything was in flight
-- column: mean duration ns less the average
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
SELECT 'in flight: sent to the device (D) to its response (C); time is that from the first to the last of them'
FROM temp.hardware_queue
LIMIT 1;
-- include: loss-remark
