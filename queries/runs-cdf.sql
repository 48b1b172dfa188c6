-- report: runs
-- title: Lengths of runs of sequential I/Os
-- kinds: io
-- needs: address=sector
-- when: cdf
-- options: streams
-- tally: run size
-- plot: runs
-- column: class text
-- column: length integer
-- column: runs integer
-- column: cumulative share fraction
-- column: ios integer
-- column: ios_cumulative share fraction
-- column: bytes bytes bytes
-- column: bytes_cumulative share fraction
-- fact: reads-and-writes report
-- fact: sizes report
--
-- Runs of no more than `length` I/Os, a power of two, and of more than half of it: how many they are, their
-- I/Os and bytes, and the shares of all that are no longer.
WITH
class(number, class) AS (
    VALUES (0, 'read'), (1, 'write')
),
counted AS (
    SELECT direction, length, sum(runs) AS runs, sum(ios) AS ios, sum_time(bytes) AS bytes
    FROM temp.tally_run
    GROUP BY direction, length
)
SELECT
    class.class,
    length,
    runs,
    1.0 * sum(runs) OVER up_to / sum(runs) OVER class,
    ios,
    1.0 * sum(ios) OVER up_to / sum(ios) OVER class,
    bytes,
    total(bytes) OVER up_to / total(bytes) OVER class
FROM counted
JOIN class ON class.number = counted.direction
WINDOW class AS (PARTITION BY direction), up_to AS (PARTITION BY direction ORDER BY length)
ORDER BY direction, length;
-- include: runs-remark
-- include: without-data
