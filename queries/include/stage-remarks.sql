-- What is to be known of temp.tally_stage, out of temp.stage_count.
-- remark
SELECT printf('asked for (Q): %d, dispatched (D): %d, merge ratio: %.2f', asked, issued,
    1.0 * max(asked, issued) / issued)
    || iif(requeued > 0, printf('; %d requeues (R) count as asked for', requeued), '')
FROM (
    SELECT sum(asked + requeued) AS asked, sum(requeued) AS requeued, sum(issued) AS issued
    FROM temp.stage_count
    WHERE NOT no_q
)
WHERE asked > 0 AND issued > 0;
-- remark
SELECT printf('%s no Q: from D to C is all that is told, where btt tells nothing',
    iif(count(*) = 1, 'the trace has', count(*) || ' of the traces have'))
FROM temp.stage_count
WHERE no_q AND issued > 0
HAVING count(*) > 0;
-- remark
SELECT 'nobody is seen asking (Q) or dispatching (D): the log has no stages'
WHERE NOT EXISTS (SELECT 1 FROM temp.stage_count WHERE asked + issued > 0);
-- remark
SELECT printf('%d requests were split (X): each part is told for itself, where btt leaves a part open and '
    || 'takes later requests of its sectors for it', sum(split))
FROM temp.stage_count
HAVING sum(split) > 0;
-- remark
SELECT printf('%d dispatched requests were not seen asked for (Q), and %d Qs had not completed at the end: '
    || 'they are left out', sum(unasked) FILTER (WHERE NOT no_q), sum("left") FILTER (WHERE NOT no_q))
FROM temp.stage_count
HAVING sum(unasked + "left") FILTER (WHERE NOT no_q) > 0;
-- remark
SELECT printf('%d Qs were given up, for more than 65536 had not completed', sum(forgotten))
FROM temp.stage_count
HAVING sum(forgotten) > 0;
-- remark
SELECT printf('%d Qs were given up: one of the same sectors that came later has completed', sum(given_up))
FROM temp.stage_count
HAVING sum(given_up) > 0;
-- remark
SELECT printf('%d records were lost while tracing: they may be steps that are missing here', sum(l.count))
FROM temp.selection AS s
CROSS JOIN main.ledger AS l ON l.trace = s.trace
WHERE l.outcome = 'lost'
HAVING sum(l.count) > 0;
-- include: loss-remark
