-- report: workingset
-- question: How much data is in use within a time window?
-- title: Mean working set by length of window
-- options: unit by-start sample
-- plot: workingset
-- compare: rows key=references value=pages alone
-- part: calls
-- kinds: calls
-- needs: address=offset
-- tally: working_set
-- part: io
-- kinds: io
-- needs: address=sector
-- tally: working_set size
-- fact: reads-and-writes report
-- fact: sizes report
-- part: all
-- column: references int - - number of references to the items; for a window, its length
-- column: pages real - - number of pages
-- column: bytes real bytes - number of bytes
--
-- Mean number of distinct pages in the last N references. Windows at the beginning are truncated.
WITH total AS (
    SELECT sum("references") AS refs FROM temp.page_total
)
SELECT w.window, 1.0 * w.pages / refs, 1.0 * w.pages / refs * ifnull(:unit, 4096)
FROM total
JOIN temp.tally_working_set AS w ON w.window < 2 * refs
ORDER BY w.window;
-- include: pages-remark
-- part: io
-- include: neither-remark
