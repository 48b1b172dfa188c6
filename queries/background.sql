-- report: background
-- question: What do checkpoints and discards cost other I/O?
-- fact: times report
-- title: I/O during background work
-- kinds: io
-- events: yes
-- tally: background
-- plot: none
-- fact: latencies report
-- key: beside
-- compare: rows alone
-- worth: beside count share mean p99 time_share p50 bytes max time
-- column: beside text - - background work while the I/O was in flight
-- column: time time ns - how long the background work ran
-- column: time_share share fraction - share of the time from the first issue to the last completion
-- column: count int - - I/Os in flight during the background work
-- column: share share fraction - share of all
-- column: bytes bytes bytes - number of bytes
-- column: mean duration ns less mean
-- column: p50 duration ns less median: smallest value that half of the values do not exceed
-- column: p99 duration ns less smallest value that 99 % of the values do not exceed
-- column: max duration ns less maximum
--
-- Checkpoints and collections are those of F2FS, from events of the log. A discard lasts from issue
-- to completion and is not counted as an I/O here. An I/O can count in several rows.
WITH
    -- Time of each activity, and of all together without double counting.
    part AS (
        SELECT r.trace, w.activity, max(r.begin, r.first) AS begin, min(r."end", r.last) AS "end"
        FROM (SELECT 'checkpoint' AS activity UNION ALL SELECT 'collection' UNION ALL SELECT 'discard'
            UNION ALL SELECT 'any') AS w
        CROSS JOIN temp.background_work AS r
        WHERE w.activity IN (r.activity, 'any') AND r.begin < r.last AND r."end" > r.first
    ),
    alone AS (
        SELECT activity, max(0, "end" - max(begin, ifnull(max("end") OVER before, begin))) AS time
        FROM part
        WINDOW before AS (PARTITION BY trace, activity ORDER BY begin, "end"
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    ),
    whole AS (SELECT total(last - first) AS time FROM (SELECT DISTINCT trace, first, last FROM temp.background_work)),
    spent AS (
        SELECT activity, total(time) AS time FROM alone WHERE activity <> 'any' GROUP BY activity
        UNION ALL
        SELECT 'none', (SELECT time FROM whole) - (SELECT total(time) FROM alone WHERE activity = 'any')
        UNION ALL
        SELECT 'all', time FROM whole
    )
SELECT
    t.activity, t.time, t.time / nullif((SELECT time FROM whole), 0),
    ifnull(d.count, 0),
    1.0 * ifnull(d.count, 0) / (SELECT count FROM temp.distribution WHERE name = 'all'),
    CAST(ifnull(b.bytes, 0) AS INTEGER), d.mean, d.p50, d.p99, d.max
FROM spent AS t
LEFT JOIN temp.background_bytes AS b ON b.activity = t.activity
LEFT JOIN temp.distribution AS d ON d.name = t.activity
WHERE EXISTS (SELECT 1 FROM part) -- otherwise both rows cover the whole trace
ORDER BY t.activity = 'all', t.activity = 'none', t.activity;
-- remark excluded
SELECT printf('excluded: %d of %s: issue (D) not in the log', unissued, counted(ios, 'I/O{s}'))
FROM temp.background_count
WHERE unissued > 0;
-- remark
SELECT 'the log has no F2FS checkpoint or garbage collection'
WHERE NOT EXISTS (
    SELECT 1 FROM temp.selection AS s CROSS JOIN main.trace AS t ON t.id = s.trace
    CROSS JOIN main.trace AS o ON o.log = t.log AND o.kind = 'spans'
    CROSS JOIN main.name AS n ON n.trace = o.id AND n.kind = 'background' AND n.text <> 'discard'
);
-- remark
SELECT max('background work of the log is only before the first I/O or after the last one')
FROM temp.background_work
HAVING total(begin < last AND "end" > first) = 0 AND count(*) > 0;
-- include: loss-remark
