-- remark excluded
-- Counts the rows of temp.tally_latency without a duration.
SELECT printf('excluded: %d of %d calls without a duration',
    sum(count) FILTER (WHERE bits IS NULL), sum(count))
FROM temp.tally_latency
HAVING sum(count) FILTER (WHERE bits IS NULL) > 0;
