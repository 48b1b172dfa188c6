-- remark excluded
-- Counts the rows of temp.tally_latency without a latency.
SELECT printf(iif(:q2c IS NULL,
        '%d of %s no latency: issue (D) not in the log, no data, or a partial completion',
        '%d of %s no latency from Q: queue event (Q) not in the log, or a partial completion'),
    sum(count) FILTER (WHERE bits IS NULL), counted(sum(count), 'I/O{ has|s have}'))
FROM temp.tally_latency
HAVING sum(count) FILTER (WHERE bits IS NULL) > 0;
-- remark definition
SELECT 'latency: queue (Q) to completion (C)' WHERE :q2c IS NOT NULL;
-- include: loss-remark
