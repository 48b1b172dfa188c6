-- title: Distinct pages over time
-- options: unit by-start sample window
-- tally: footprint
-- plot: footprint-windows
-- column: window time s
-- column: references integer
-- column: distinct integer
-- column: new integer
-- column: written_distinct integer
-- column: wss_bytes bytes bytes
--
-- A row a window of time, the empty ones included: the references to pages in it, how many different pages
-- these are of, how many of them were never used before, how many were written, and what all of them hold.
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
-- include: pages-remark
-- remark
SELECT 'windows: from the start of the trace; the first and last may be partial';
