-- report: findings
-- title: many flushes
-- kinds: io
-- tally: letters busy
-- weight: weight calls
-- say: {flushes} flush {requests} and {fua} forced {forced} (FUA) for {writes} writes[; for {alone}, {share} of the time, the device did nothing else]
-- look: report rw -v
-- why: A flush makes the device write its whole cache before it continues.
-- unless: Each flush is needed, to be sure that the data are safe.
-- source: tracetool's own choice; no published threshold is known.
-- parameter: flushes-share real 0.25 "least ratio of flushes and forced writes to writes"
-- parameter: flushes-writes integer 20 "least number of writes"
-- column: fires int
-- column: value real
-- column: threshold real
-- column: weight share
-- column: flushes int
-- column: fua int
-- column: requests text
-- column: forced text
-- column: writes int
-- column: alone duration
-- column: share share
-- The block layer splits a write's flush into a flush of its own, and completes such a write twice:
-- its data, then without data. A log has one or more of these. A write that keeps its F is not split.
WITH counted AS (
    SELECT letters, count, io_class(letters) = 'flush' AS is_flush, io_class(letters) IN ('write', 'writesync') AS is_write,
        io_flag(letters, 'flush') OR io_flag(letters, 'barrier') AS has_flush
    FROM temp.tally_letters
),
item AS (
    SELECT max(total(iif(is_flush AND io_flag(letters, 'flush'), count, 0)),
            total(iif(is_flush AND NOT io_flag(letters, 'flush'), count, 0)),
            total(iif(is_write AND NOT has_flush AND io_flag(letters, 'flush asked'), count, 0)))
            + total(iif(is_write AND has_flush, count, 0)) AS flushes,
        ifnull(sum(iif(is_write AND io_flag(letters, 'fua'), count, 0)), 0) AS fua,
        ifnull(sum(iif(is_write, count, 0)), 0) AS writes, sum(count) AS ios
    FROM counted
)
SELECT 1.0 * (flushes + fua) / writes > :flushes_share AND writes >= :flushes_writes AS fires, 1.0 * (flushes + fua) / writes AS value,
    :flushes_share AS threshold, min(1.0, 1.0 * (flushes + fua) / ios) AS weight,
    CAST(flushes AS INTEGER) AS flushes, fua, iif(flushes = 1, 'request', 'requests') AS requests,
    iif(fua = 1, 'write', 'writes') AS forced, writes, alone, 1.0 * alone / time AS share
FROM item, (
    SELECT nullif(b.device - b.data, 0) AS alone, nullif(s.time, 0) AS time
    FROM temp.tally_busy AS b
    JOIN temp.selection AS s ON s.trace = b.trace
)
WHERE writes > 0
