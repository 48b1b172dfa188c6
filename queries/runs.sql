-- report: runs
-- title: Runs of sequential I/Os
-- kinds: io
-- needs: address=sector
-- options: streams
-- tally: run size
-- plot: none
-- column: class text
-- column: ios integer
-- column: runs integer
-- column: mean real
-- column: p50 integer
-- column: p90 integer
-- column: p99 integer
-- column: max integer
-- column: bytes_mean bytes bytes
-- column: bytes_p50 bytes bytes
-- column: bytes_p90 bytes bytes
-- column: bytes_p99 bytes bytes
-- column: bytes_max bytes bytes
-- compare: rows key=class alone
-- fact: reads-and-writes report
-- fact: sizes report
--
-- How many I/Os, and how many bytes, follow one another without a gap. A run goes on where an I/O of its
-- direction and device begins at its end, if it is one of the last :streams that were used.
WITH
class(number, class) AS (
    VALUES (0, 'read'), (1, 'write')
),
counted AS (
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
-- include: runs-remark
-- include: without-data
-- include: neither-remark
