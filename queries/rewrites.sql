-- report: rewrites
-- question: How often is the same data read or written again?
-- title: Reads and writes of pages that were used before
-- options: unit by-start sample
-- compare: rows key=access alone
-- worth: count share mean p50 p99 max p90
-- part: calls
-- kinds: calls
-- needs: address=offset
-- tally: rewrite
-- part: io
-- kinds: io
-- needs: address=sector
-- tally: rewrite again size
-- fact: reads-and-writes report
-- fact: sizes report
-- part: all
-- fact: times columns min mean max p50 p90 p99
-- column: access text - - kind of use of a page: used at all, read, written, both; or a use and the one before: RAW is a read after a write
-- column: count int - - number of events, or of references, in the row
-- column: share share fraction - share of all references; for updates, of all writes
-- column: min duration ns less minimum
-- column: mean duration ns less mean
-- column: max duration ns less maximum
-- column: p50 duration ns less median: smallest value that half of the values do not exceed
-- column: p90 duration ns less smallest value that 90 % of the values do not exceed
-- column: p99 duration ns less smallest value that 99 % of the values do not exceed
--
-- References to a page by the previous one: read after write (RAW) etc. An update is a write after
-- the page's last write, with any reads in between. Shares are of all references; those of updates
-- are of writes.
WITH
name(place, pair, name) AS (VALUES (1, 2, 'RAW'), (2, 3, 'WAW'), (3, 1, 'WAR'), (4, 0, 'RAR'), (5, 4, 'update')),
total AS (
    SELECT sum("references") AS refs, sum("references" - reads) AS writes FROM temp.page_total
)
SELECT
    name.name,
    r.count,
    r.count / nullif(1.0 * iif(r.pair = 4, writes, refs), 0),
    iif(r.count > 0, r.least, NULL),
    r.duration / r.count + (r.duration % r.count + r.count / 2) / r.count,
    iif(r.count > 0, r.most, NULL),
    d.p50, d.p90, d.p99
FROM name
JOIN temp.tally_rewrite AS r ON r.pair = name.pair
JOIN total
LEFT JOIN temp.distribution AS d ON d.name = name.name
ORDER BY name.place;
-- part: io
-- include: order-remark
-- remark
SELECT printf('sectors of 512 bytes: %s of %s written replaced data at most 30 seconds old%s',
    people(sum_time(iif(a.seconds BETWEEN 1 AND 30, a.bytes, 0)), 'bytes', 'ns'), people(sum_time(a.bytes), 'bytes', 'ns'),
    iif(max(a.sample) > 1, printf(', estimated from one page in %d', max(a.sample)), ''))
FROM temp.tally_again AS a
HAVING sum_time(a.bytes) > 0;
-- part: all
-- remark
SELECT printf('%s to %s: %.6g per page; share of writes to pages written before: %.6f',
    counted(sum("references" - reads), 'write{s}'), counted(sum(written), 'page{s}'),
    1.0 * sum("references" - reads) / sum(written), 1 - 1.0 * sum(written) / sum("references" - reads))
FROM temp.page_total
HAVING sum(written) > 0;
-- include: pages-remark
-- include: percentiles-remark
-- part: io
-- include: neither-remark
