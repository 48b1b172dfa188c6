-- remark
-- What of temp.tally_latency has no time.
SELECT printf(iif(:q2c IS NULL,
        '%d of %d I/Os have no latency: their issue was not seen, or they have no length',
        '%d of %d I/Os have no time from where they were asked for (Q): that was not seen'),
    sum(count) FILTER (WHERE bits IS NULL), sum(count))
FROM temp.tally_latency
HAVING sum(count) FILTER (WHERE bits IS NULL) > 0;
-- remark
SELECT 'times are from where an I/O was asked for (Q) to its completion' WHERE :q2c IS NOT NULL;
