-- remark excluded
-- What of temp.tally_latency has no time.
SELECT printf('excluded: %d of %d calls without a duration',
    sum(count) FILTER (WHERE bits IS NULL), sum(count))
FROM temp.tally_latency
HAVING sum(count) FILTER (WHERE bits IS NULL) > 0;
