-- remark excluded
-- Counts the rows of temp.tally_latency without a duration.
SELECT printf('excluded: %d of %s without a duration',
    sum(count) FILTER (WHERE bits IS NULL), counted(sum(count), 'call{s}'))
FROM temp.tally_latency
HAVING sum(count) FILTER (WHERE bits IS NULL) > 0;
-- include: interrupted-remark
