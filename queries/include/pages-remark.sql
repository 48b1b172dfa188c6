-- remark definition
-- Describes the pages of temp.page_total, and the excluded transfers.
SELECT printf('pages of %d bytes: %s by %s%s', ifnull(:unit, 4096), counted(sum("references"), 'reference{s}'),
    counted(sum(ios), iif(t.kind = 'io', 'I/O{s}', 'transfer{s} of files')),
    iif(:by_start IS NULL, '', '; each counts for its first page alone'))
FROM temp.page_total AS p
JOIN main.trace AS t ON t.id = p.trace;
-- remark definition
SELECT printf('pages of the %d traces count as different pages, even at the same address', count(*))
FROM temp.page_total
HAVING count(*) > 1;
-- remark
-- The error of a number estimated from n sampled pages is 2 / sqrt(n): twice its standard
-- deviation. Pages of a trace without sampling have no error.
SELECT printf('sampled: of %s one page in %d, %d in all, by a hash of the address (the same in each run); expected '
        || 'error: pages up to %.2f %%, read %.2f %%, written %.2f %%, both %.2f %%; references: more, if few '
        || 'pages have most of them',
    iif(max(shift > 0) AND count(*) > 1, 'some traces up to', 'the trace'), 1 << max(shift), sum(kept),
    200 * sqrt(total(iif(shift > 0, pages << shift, 0))) / nullif(total(pages), 0),
    200 * sqrt(total(iif(shift > 0, read << shift, 0))) / nullif(total(read), 0),
    200 * sqrt(total(iif(shift > 0, written << shift, 0))) / nullif(total(written), 0),
    200 * sqrt(total(iif(shift > 0, both << shift, 0))) / nullif(total(both), 0))
FROM temp.page_total
HAVING max(shift) > 0;
-- remark excluded
SELECT 'excluded: ' || counted(sum(too_large), iif(t.kind = 'io', 'I/O', 'transfer') || '{s} of more than 65536 pages')
FROM temp.page_total AS p
JOIN main.trace AS t ON t.id = p.trace
HAVING sum(too_large) > 0;
-- remark excluded
SELECT 'excluded: ' || counted(sum(unplaced), 'transfer{s} without a known file or offset')
FROM temp.page_total
HAVING sum(unplaced) > 0;
-- remark definition
SELECT r.text FROM temp.selection AS s
CROSS JOIN main.remark AS r ON r.trace = s.trace
WHERE r.text LIKE 'opens of paths that MobiGen did not know%';
