-- report: latency
-- title: Time from issue to completion
-- kinds: io
-- column: class text
-- column: count integer
-- column: min duration ns
-- column: mean duration ns
-- column: p50 duration ns
-- column: p90 duration ns
-- column: p99 duration ns
-- column: max duration ns
--
-- Percentiles are values that occur: the smallest one that so many of the I/Os do not exceed.
WITH class(number, class) AS (
    VALUES (0, 'read'), (1, 'readsync'), (2, 'write'), (3, 'writesync'), (4, 'other')
)
SELECT class.class, d.count, d.min, d.mean, d.p50, d.p90, d.p99, d.max
FROM temp.distribution AS d
JOIN class ON class.number = CAST(d.name AS INTEGER)
ORDER BY class.number;
-- distribution
SELECT flags & 7, duration FROM temp.selected_event WHERE duration IS NOT NULL
-- remark
SELECT printf('%d of %d I/Os have no latency: their issue was not seen, or they have no length',
    (SELECT count(*) FROM temp.selected_event WHERE duration IS NULL),
    (SELECT count(*) FROM temp.selected_event))
WHERE EXISTS (SELECT 1 FROM temp.selected_event WHERE duration IS NULL);
