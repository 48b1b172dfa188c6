-- report: footprint
-- question: How much distinct data is touched?
-- part: calls
-- title: Distinct pages
-- kinds: calls
-- needs: address=offset
-- tally: footprint
-- part: calls-windows
-- title: Distinct pages over time
-- kinds: calls
-- needs: address=offset
-- tally: footprint
-- part: io-windows
-- title: Distinct pages over time
-- kinds: io
-- needs: address=sector
-- tally: footprint size
-- fact: reads-and-writes report
-- fact: sizes report
-- part: io
-- title: Distinct pages
-- kinds: io
-- needs: address=sector
-- tally: footprint size
-- fact: reads-and-writes report
-- fact: sizes report
-- part: calls io
-- options: unit by-start sample
-- compare: rows key=access value=pages,share alone
-- column: access text - - kind of use of a page: used at all, read, written, both; or a use and the one before: RAW is a read after a write
-- column: pages int - - number of pages
-- column: bytes bytes bytes - number of bytes
-- column: share share fraction - share of all
-- Numbers of distinct pages used, read, written, and both.
-- part: calls-windows io-windows
-- when: window
-- options: unit by-start sample window
-- plot: footprint-windows
-- column: window time s - start of the window, since the start of the trace
-- column: references int - - number of references to the items; for a window, its length
-- column: distinct int - - distinct pages used
-- column: new int - - pages used for the first time
-- column: written_distinct int - - distinct pages written
-- column: wss_bytes bytes bytes - bytes of the distinct pages
-- Row per window of time, including empty ones: references to pages, distinct pages, pages never
-- used before, written pages, and the size of the distinct pages.
-- part: calls io
--
WITH total AS (
    SELECT sum(pages) AS used, sum(read) AS read, sum(written) AS written, sum(both) AS both FROM temp.page_total
),
part(place, access, pages) AS (
    SELECT 1, 'used', used FROM total
    UNION ALL SELECT 2, 'read', read FROM total
    UNION ALL SELECT 3, 'written', written FROM total
    UNION ALL SELECT 4, 'both', both FROM total
)
SELECT access, ifnull(pages, 0), ifnull(pages, 0) * ifnull(:unit, 4096), pages / nullif(1.0 * used, 0)
FROM part
JOIN total
ORDER BY place;
-- part: calls-windows io-windows
SELECT
    start,
    sum("references"),
    sum("distinct"),
    sum("new"),
    sum(written),
    sum("distinct") * ifnull(:unit, 4096)
FROM temp.tally_footprint
GROUP BY start
ORDER BY start;
-- part: all
-- include: pages-remark
-- part: io io-windows
-- include: neither-remark
-- part: calls-windows io-windows
-- remark definition
SELECT 'windows: from the start of the trace; the first and last may be partial';
