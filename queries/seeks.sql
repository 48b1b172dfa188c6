-- report: seeks
-- title: Distances between I/Os
-- kinds: io
-- needs: address=sector
-- tally: seek size
-- plot: none
-- column: class text
-- column: count integer
-- column: still integer
-- column: still_share share fraction
-- column: mean real sectors
-- column: p50 integer sectors
-- column: p90 integer sectors
-- column: p95 integer sectors
-- column: p99 integer sectors
-- column: max integer sectors
-- compare: rows key=class alone
-- fact: reads-and-writes report
-- fact: sizes report
--
-- From each I/O to the next on its device, whatever its direction; by class of the next one. Distances are
-- those of btt: 0 (`still`) when they touch or overlap, else forwards from the end of the one before,
-- backwards from its beginning.
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
-- include: percentiles-remark
-- include: without-data
-- include: neither-remark
