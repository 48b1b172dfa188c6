-- remark excluded
-- Counts the rows of temp.tally_latency without a latency.
SELECT printf(CASE
        WHEN NOT EXISTS (SELECT 1 FROM temp.selection AS s JOIN main.name AS n ON n.id = s.action WHERE n.text = 'C')
            THEN iif(EXISTS (SELECT 1 FROM temp.selection AS s JOIN main.name AS n ON n.trace = s.trace WHERE n.kind = 'action' AND n.text = 'C'),
                '%d of %s no latency: only a completion (C) has one, and none is counted',
                '%d of %s no latency: the log has no completions (C)')
        WHEN :q2c IS NULL THEN '%d of %s no latency: no issue (D) in the log, no data, or completed in parts'
        ELSE '%d of %s no latency from Q: no queue event (Q) in the log, or completed in parts' END,
    sum(count) FILTER (WHERE bits IS NULL), counted(sum(count), 'I/O{ has|s have}'))
FROM temp.tally_latency
HAVING sum(count) FILTER (WHERE bits IS NULL) > 0;
-- remark definition
SELECT 'latency: queue (Q) to completion (C)' WHERE :q2c IS NOT NULL;
-- include: loss-remark
