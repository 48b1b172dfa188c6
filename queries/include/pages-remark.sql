-- remark
-- What temp.page_total says of the pages, and of those that were not kept.
SELECT printf('pages of %d bytes: %d references by %d %s%s', ifnull(:unit, 4096), sum("references"),
    sum(ios), iif(t.kind = 'io', 'I/Os', 'transfers of files'),
    iif(:by_start IS NULL, '', ', each of the page where it begins alone'))
FROM temp.page_total AS p
JOIN main.trace AS t ON t.id = p.trace;
-- remark
SELECT printf('pages are those of each trace: one that several of the %d traces use counts in each', count(*))
FROM temp.page_total
HAVING count(*) > 1;
-- remark
-- Of n pages that were kept of a number, 2 / sqrt(n): twice the deviation of how many are. Pages of a trace
-- that was not sampled are known.
SELECT printf('sampled: of %s one page in %d was kept, %d in all, chosen by a hash of their addresses (the same in '
        || 'each run): numbers of pages are expected to be off by up to %.2f %%, of pages read %.2f %%, written '
        || '%.2f %%, both %.2f %%, those of references by more where few pages have most of them',
    iif(max(shift > 0) AND count(*) > 1, 'some traces up to', 'the trace'), 1 << max(shift), sum(kept),
    200 * sqrt(total(iif(shift > 0, pages << shift, 0))) / nullif(total(pages), 0),
    200 * sqrt(total(iif(shift > 0, read << shift, 0))) / nullif(total(read), 0),
    200 * sqrt(total(iif(shift > 0, written << shift, 0))) / nullif(total(written), 0),
    200 * sqrt(total(iif(shift > 0, both << shift, 0))) / nullif(total(both), 0))
FROM temp.page_total
HAVING max(shift) > 0;
-- remark
SELECT printf('excluded: %d %s of more than 65536 pages', sum(too_large), iif(t.kind = 'io', 'I/Os', 'transfers'))
FROM temp.page_total AS p
JOIN main.trace AS t ON t.id = p.trace
HAVING sum(too_large) > 0;
-- remark
SELECT printf('excluded: %d transfers without a known file or offset', sum(unplaced))
FROM temp.page_total
HAVING sum(unplaced) > 0;
