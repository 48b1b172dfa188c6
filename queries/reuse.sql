-- report: reuse
-- question: Which share of accesses would a cache of each size miss?
-- title: Miss ratio of an LRU cache, by size
-- compare: rows key=pages value=miss_ratio,read_miss_ratio alone
-- part: calls
-- kinds: calls
-- needs: address=offset
-- options: unit by-start sample sizes
-- tally: reuse again
-- plot: reuse
-- part: key
-- title: Miss ratio of an LRU cache of keys, by size
-- kinds: calls
-- when: of = key
-- needs: object=file
-- instead: reuse --of key
-- options: sample sizes
-- tally: reuse_key
-- plot: none
-- part: io
-- kinds: io
-- options: unit by-start sample sizes
-- tally: reuse size
-- plot: reuse
-- needs: address=sector
-- fact: reads-and-writes report
-- fact: sizes report
-- part: all
-- column: pages int - - number of pages
-- column: bytes bytes bytes - number of bytes
-- column: hits int - - references that hit in a cache of that size
-- column: miss_ratio share fraction less share of references that miss in a cache of that size
-- column: read_miss_ratio share fraction less miss ratio of the reads alone
-- column: cumulative share fraction if cdf - share of references that hit in a cache of that size
--
-- An LRU cache with that many pages. With powers of two, the last row is a cache for all pages. A
-- sample cannot resolve caches of less than 32 sampled pages.
WITH
total AS (
    SELECT sum("references") AS refs, sum(reads) AS reads, sum(pages) AS pages,
        iif(max(shift) > 0, 32 << max(shift), 1) AS least
    FROM temp.page_total
),
hit AS (
    SELECT pages, hits, read_hits FROM temp.tally_reuse
    WHERE :sizes IS NOT NULL OR (pages < (SELECT pages FROM total) AND pages >= (SELECT least FROM total))
    UNION ALL
    SELECT total.pages, max(r.hits), max(r.read_hits)
    FROM total JOIN temp.tally_reuse AS r
    WHERE :sizes IS NULL
    GROUP BY total.pages
)
SELECT
    hit.pages,
    iif(:of IS NULL, hit.pages * ifnull(:unit, 4096), NULL),
    iif(hit.pages >= least, min(max(hits, 0), refs), NULL),
    iif(hit.pages >= least, 1 - 1.0 * min(max(hits, 0), refs) / refs, NULL),
    iif(hit.pages >= least, 1 - 1.0 * min(max(read_hits, 0), reads) / nullif(reads, 0), NULL),
    iif(hit.pages >= least, 1.0 * min(max(hits, 0), refs) / refs, NULL)
FROM hit
JOIN total
WHERE refs > 0
ORDER BY hit.pages;
-- part: calls
-- remark
SELECT printf('%s were read from %s of files, each byte %.2f times on average%s', people(sum_time(a.bytes), 'bytes', 'ns'),
    people(sum_time(a.part), 'bytes', 'ns'), 1.0 * sum_time(a.bytes) / sum_time(a.part),
    iif(max(a.sample) > 1, printf(', estimated from one page in %d', max(a.sample)), ''))
FROM (
    SELECT sum_time(g.bytes) AS bytes, min(sum_time(g.bytes), sum_time(g."distinct")) AS part, max(g.sample) AS sample
    FROM temp.tally_again AS g
    JOIN main.object AS o ON o.id = g.within
    WHERE g.seconds IS NULL
    GROUP BY o.name
) AS a
HAVING sum_time(a.part) > 0;
-- part: io
-- include: order-remark
-- part: calls io
-- include: pages-remark
-- part: io
-- include: neither-remark
-- part: key
-- remark definition
SELECT printf('keys: each is a page; %s to %d', counted(sum("references"), 'reference{s}'), sum(pages)) FROM temp.page_total;
-- remark definition
SELECT printf('equal keys in different traces count as different keys (%d traces)', count(*)) FROM temp.page_total HAVING count(*) > 1;
-- remark
SELECT printf('sampled: one key in %d, by a hash (the same in each run)', 1 << max(shift)) FROM temp.page_total
HAVING max(shift) > 0;
-- remark excluded
SELECT 'excluded: ' || counted(sum(unplaced), 'call{s} without a key') FROM temp.page_total HAVING sum(unplaced) > 0;
-- part: all
-- remark
SELECT printf('miss ratios: expected error up to %.4f; the sample is too small for caches of fewer than %d pages', 2 / sqrt(min(kept)), 32 << max(shift))
FROM temp.page_total
WHERE shift > 0
HAVING count(*) > 0;
