-- remark
-- What of temp.tally_latency has no time.
SELECT printf('%d of %d calls have no duration and are left out',
    sum(count) FILTER (WHERE bits IS NULL), sum(count))
FROM temp.tally_latency
HAVING sum(count) FILTER (WHERE bits IS NULL) > 0;
