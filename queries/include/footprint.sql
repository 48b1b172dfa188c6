-- title: Distinct pages
-- options: unit by-start sample
-- tally: footprint
-- column: access text
-- column: pages integer
-- column: bytes bytes bytes
-- column: share share fraction
-- compare: rows key=access value=pages,share alone
--
-- How many different pages were used at all, read, written, and both.
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
-- include: pages-remark
