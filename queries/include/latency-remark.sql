-- remark
-- What of temp.tally_latency has no time.
SELECT printf(iif(:q2c IS NULL,
        '%d of %d I/Os have no latency: issue (D) not in the log, no data, or a part of a request whose rest '
            || 'completed later',
        '%d of %d I/Os have no time from where they were asked for (Q): Q not in the log, or a part of a '
            || 'request whose rest completed later'),
    sum(count) FILTER (WHERE bits IS NULL), sum(count))
FROM temp.tally_latency
HAVING sum(count) FILTER (WHERE bits IS NULL) > 0;
-- remark
SELECT 'times are from where an I/O was asked for (Q) to its completion' WHERE :q2c IS NOT NULL;
-- include: loss-remark
