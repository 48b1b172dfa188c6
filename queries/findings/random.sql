-- report: findings
-- title: not sequential
-- part: calls
-- kinds: calls
-- fact: file-names report
-- needs: address=offset
-- tally: file_transfer call_operation
-- look: report locality
-- part: io
-- kinds: io
-- needs: address=sector
-- tally: locality_issued
-- look: report locality
-- part: all
-- weight: weight calls
-- say: {random} of {transfers} {direction} {verb} not begin where the previous one of the same {within} ended
-- why: Sequential I/Os are read ahead and merged. Random ones are not, and a disk must seek.
-- unless: It is a database that looks things up, or several parallel streams.
-- source: Drishti's triggers P11 and P13 have the same floor of 1,000, and fire from 20 % random operations on; that at most a fifth is sequential is tracetool's own choice.
-- parameter: random-share real 0.2 "share that is sequential, below which the finding fires"
-- parameter: random-transfers integer 1000 "least number of reads or writes"
-- column: fires int
-- column: value share
-- column: threshold share
-- column: weight share
-- column: random int
-- column: transfers int
-- column: direction text
-- column: verb text
-- column: within text
-- column: look text
-- I/Os follow each other in the order of their issue (D) if the log has it, since a device with a
-- queue may complete them in another one. Chooses reads or writes, whichever has more that are not sequential.
WITH item AS (
-- part: calls
    SELECT iif(direction = 0, 'reads', 'writes') AS direction, 'file' AS within, sum(sequential) AS sequential,
        sum(random) AS random, NULL AS look
    FROM temp.tally_file_locality
    GROUP BY direction
-- part: io
    SELECT iif(direction = 0, 'reads', 'writes') AS direction, 'direction and device' AS within, sum(sequential) AS sequential,
        sum(random) AS random, iif(max(issued), 'report locality --action D', NULL) AS look
    FROM temp.tally_locality_issued
    GROUP BY direction
-- part: all
),
judged AS (
    SELECT *, sequential + random AS transfers, 1.0 * sequential / (sequential + random) AS value
    FROM item
    WHERE sequential + random > 0
)
SELECT value < :random_share AND transfers >= :random_transfers AS fires, value, :random_share AS threshold,
-- part: calls
    1.0 * random / (SELECT sum(calls) FROM temp.tally_call) AS weight,
-- part: io
    1.0 * random / (SELECT sum(transfers) FROM judged) AS weight,
-- part: all
    random, transfers, iif(transfers = 1, rtrim(direction, 's'), direction) AS direction,
    iif(transfers = 1, 'does', 'do') AS verb, within, look
FROM judged
ORDER BY fires DESC, random DESC, judged.direction
LIMIT 1
