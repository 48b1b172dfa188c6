-- report: seeks
-- question: How far apart are successive I/Os?
-- title: Distances between I/Os
-- kinds: io
-- instead: locality
-- needs: address=sector
-- tally: seek size
-- plot: none
-- worth: count mean p50 p99 max still_share p90
-- column: class text - - read or write (of the later I/O), or all
-- column: count int - - number of events, or of references, in the row
-- column: still int - - I/Os at distance 0: they begin or end in the previous I/O, or adjoin it
-- column: still_share share fraction - share of the I/Os at distance 0
-- column: mean real sectors less mean
-- column: p50 int sectors - median: smallest value that half of the values do not exceed
-- column: p90 int sectors - smallest value that 90 % of the values do not exceed
-- column: p95 int sectors - smallest value that 95 % of the values do not exceed
-- column: p99 int sectors - smallest value that 99 % of the values do not exceed
-- column: max int sectors - maximum
-- compare: rows key=class alone
-- fact: reads-and-writes report
-- fact: sizes report
--
-- Distances between successive I/Os of a device, of any direction, by class of the second I/O.
-- Definition as in btt: 0 (`still`) if the I/O begins or ends in the previous one or adjoins it;
-- else forwards from the end of the previous I/O, backwards from its start.
WITH class(place, name) AS (VALUES (0, 'read'), (1, 'write'), (2, 'all'))
SELECT
    class.name,
    ifnull(d.count, 0),
    s.still,
    1.0 * s.still / d.count,
    1.0 * s.total / d.count,
    d.p50, d.p90, d.p95, d.p99, d.max
FROM class
JOIN temp.tally_seek AS s ON s.name = class.name
LEFT JOIN temp.distribution AS d ON d.name = class.name
ORDER BY class.place;
-- remark
SELECT 'distances are in sectors of 512 bytes' WHERE :people;
-- include: order-remark
-- include: percentiles-remark
-- include: without-data
-- include: neither-remark
-- remark excluded
SELECT 'excluded: ' || counted(unplaced, 'I/O{s} without a sector, or that {ends|end} at 2^63 bytes or beyond')
FROM temp.tally_seek
WHERE name = 'all' AND unplaced > 0;
