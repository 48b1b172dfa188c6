-- report: findings
-- title: small transfers
-- kinds: calls
-- needs: object=file
-- fact: file-names report
-- tally: call_operation transfer_size
-- weight: weight unit
-- say: {small} of {calls} {direction} of files {are} smaller than {size}[ and took {time}]
-- look: report rw
-- why: A call costs about the same for few bytes as for many.
-- unless: The bytes must go out at once, as lines of a log that someone follows.
-- source: Drishti (triggers P05, P06) counts requests below 1 MiB, more than 1,000 of them and 10 % of all, on parallel file systems; half, and 4 KiB, a page, are tracetool's own choice for local ones.
-- parameter: small-transfers-size integer 4096 "a transfer of fewer bytes is small; a power of two"
-- parameter: small-transfers-share real 0.5 "share of reads, or of writes, that are small"
-- parameter: small-transfers-time real 0.1 "least share of the log's time that small transfers take, or …"
-- parameter: small-transfers-calls integer 1000 "… least number of them"
-- column: fires int
-- column: value share
-- column: threshold share
-- column: weight share
-- column: unit text
-- column: small int
-- column: calls int
-- column: direction text
-- column: are text
-- column: size bytes
-- column: time duration
-- column: look text
-- Chooses reads or writes, whichever stands out more. Copies are writes.
WITH log AS (
    SELECT iif(EXISTS (SELECT 1 FROM main.meaning WHERE trace IN (SELECT trace FROM temp.selection) AND what = 'no times'),
        NULL, max(last) - min(first)) AS time, sum(calls) AS calls FROM temp.tally_call
),
transfer AS (
    SELECT iif(call_does(n.text) = 'read', 'reads', 'writes') AS direction, t.calls, t.total,
        t.bits <= bit_length(:small_transfers_size - 1) AS is_small
    FROM temp.tally_transfer_size AS t
    JOIN main.name AS n ON n.id = t.operation
),
summed AS (
    SELECT direction, sum(calls) AS calls, sum(iif(is_small, calls, 0)) AS small,
        sum_time(iif(is_small, total, NULL)) AS time
    FROM transfer
    GROUP BY direction
)
SELECT
    1.0 * s.small / s.calls > :small_transfers_share AND (s.small >= :small_transfers_calls
        OR 1.0 * s.time / nullif(l.time, 0) >= :small_transfers_time) AS fires,
    1.0 * s.small / s.calls AS value,
    :small_transfers_share AS threshold,
    min(1.0, ifnull(1.0 * s.time / nullif(l.time, 0), 1.0 * s.small / l.calls)) AS weight,
    iif(s.time IS NULL OR ifnull(l.time, 0) = 0, 'calls', 'time') AS unit,
    s.small, s.calls, iif(s.calls = 1, rtrim(s.direction, 's'), s.direction) AS direction, iif(s.calls = 1, 'is', 'are') AS are, :small_transfers_size AS size, s.time,
    printf('report rw --min-size 1 --max-size %d', :small_transfers_size - 1) AS look
FROM summed AS s, log AS l
ORDER BY ifnull(fires, 0.5) DESC, weight DESC, s.direction
LIMIT 1
