-- remark excluded
-- Counts the rows of temp.tally_latency without a latency.
SELECT printf(iif(:q2c IS NULL,
        '%d of %s no latency: no issue (D) in the log, no data, or completed in parts',
        '%d of %s no latency from Q: no queue event (Q) in the log, or completed in parts'),
    sum(count) FILTER (WHERE bits IS NULL), counted(sum(count), 'I/O{ has|s have}'))
FROM temp.tally_latency
HAVING sum(count) FILTER (WHERE bits IS NULL) > 0;
-- remark definition
SELECT 'latency: queue (Q) to completion (C)' WHERE :q2c IS NOT NULL;
-- include: loss-remark
