-- report: runs
-- question: How long are runs of sequential I/O?
-- kinds: io
-- instead: locality
-- needs: address=sector
-- options: streams
-- tally: run size
-- fact: reads-and-writes report
-- fact: sizes report
-- part: cdf
-- title: Lengths of runs of sequential I/Os
-- when: cdf
-- plot: runs
-- Runs by length class: at most `length` I/Os, a power of two, and more than half of it. Columns:
-- number of runs, their I/Os and bytes, and cumulative shares.
-- part: main
-- title: Runs of sequential I/Os
-- plot: none
-- compare: rows key=class alone
-- Lengths of runs of I/Os without gaps, in I/Os and bytes. A run continues if an I/O of its
-- direction and device begins at its end, and it is one of the :streams last used runs.
-- part: all
-- column: class text - - read or write, synchronous ones included
-- part: main
-- worth: ios runs mean p50 p99 max bytes_mean bytes_p99 bytes_max
-- column: ios int - - number of I/Os
-- column: runs int - - number of runs of sequential I/Os
-- column: mean real - less mean
-- column: p50 int - - median: smallest value that half of the values do not exceed
-- column: p90 int - - smallest value that 90 % of the values do not exceed
-- column: p99 int - - smallest value that 99 % of the values do not exceed
-- column: max int - - maximum
-- column: bytes_mean bytes bytes - mean bytes of a run
-- column: bytes_p50 bytes bytes - median of the bytes of a run
-- column: bytes_p90 bytes bytes - 90 % of the runs have at most this size
-- column: bytes_p99 bytes bytes - 99 % of the runs have at most this size
-- column: bytes_max bytes bytes - bytes of the largest run
-- part: cdf
-- column: length int - - largest length of a run in this row, in I/Os
-- column: runs int - - number of runs of sequential I/Os
-- column: cumulative share fraction - cumulative share
-- column: ios int - - number of I/Os
-- column: ios_cumulative share fraction - cumulative share of the I/Os
-- column: bytes bytes bytes - number of bytes
-- column: bytes_cumulative share fraction - cumulative share of the bytes
-- part: all
--
WITH
class(number, class) AS (
    VALUES (0, 'read'), (1, 'write')
),
counted AS (
-- part: main
    SELECT direction, sum(ios) AS ios, sum(runs) AS runs
    FROM temp.tally_run
    GROUP BY direction
)
SELECT
    class.class,
    ifnull(counted.ios, 0),
    ifnull(counted.runs, 0),
    1.0 * counted.ios / counted.runs,
    i.p50, i.p90, i.p99, i.max,
    b.mean, b.p50, b.p90, b.p99, b.max
FROM class
LEFT JOIN counted ON counted.direction = class.number
LEFT JOIN temp.distribution AS i ON i.name = class.class || ' ios'
LEFT JOIN temp.distribution AS b ON b.name = class.class || ' bytes'
ORDER BY class.number;
-- part: cdf
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
-- part: all
-- remark definition
SELECT printf('an I/O continues a run if it has its device and direction and begins where it ended; at most %d runs are followed at a time', ifnull(:streams, 32));
-- include: order-remark
-- include: without-data
-- remark excluded
SELECT 'excluded: ' || counted(total - ios, 'I/O{s} without a sector, or that {ends|end} at 2^63 bytes or beyond')
FROM (SELECT sum(count) AS total FROM temp.tally_size
    WHERE size > 0 AND class NOT IN (io_class_number('flush'), io_class_number('other')))
JOIN (SELECT total(ios) AS ios FROM temp.tally_run)
WHERE total > ios;
-- part: main
-- include: neither-remark
