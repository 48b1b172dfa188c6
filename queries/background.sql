-- report: background
-- question: What do checkpoints and discards cost other I/O?
-- fact: times report
-- title: I/O during background work
-- kinds: io
-- events: yes
-- tally: letters
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
    -- include: background
    ,
    -- Time range of the I/Os.
    spell AS (SELECT trace, min(begin) AS first, max("end") AS last FROM io GROUP BY trace),
    -- Time of each activity, and of all together without double counting.
    part AS (
        SELECT r.trace, w.activity, max(r.begin, p.first) AS begin, min(r."end", p.last) AS "end"
        FROM (SELECT 'checkpoint' AS activity UNION ALL SELECT 'collection' UNION ALL SELECT 'discard'
            UNION ALL SELECT 'any') AS w
        CROSS JOIN ran AS r
        CROSS JOIN spell AS p ON p.trace = r.trace
        WHERE w.activity IN (r.activity, 'any') AND r.begin < p.last AND r."end" > p.first
    ),
    alone AS (
        SELECT activity, max(0, "end" - max(begin, ifnull(max("end") OVER before, begin))) AS time
        FROM part
        WINDOW before AS (PARTITION BY trace, activity ORDER BY begin, "end"
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    ),
    whole AS (SELECT total(last - first) AS time FROM spell),
    spent AS (
        SELECT activity, total(time) AS time FROM alone WHERE activity <> 'any' GROUP BY activity
        UNION ALL
        SELECT 'none', (SELECT time FROM whole) - (SELECT total(time) FROM alone WHERE activity = 'any')
        UNION ALL
        SELECT 'all', time FROM whole
    ),
    summed AS (
        SELECT activity, count(*) AS count, total(size) AS bytes FROM counted GROUP BY activity
    )
SELECT
    t.activity, t.time, t.time / nullif((SELECT time FROM whole), 0),
    ifnull(s.count, 0),
    1.0 * ifnull(s.count, 0) / (SELECT count FROM summed WHERE activity = 'all'),
    CAST(ifnull(s.bytes, 0) AS INTEGER), d.mean, d.p50, d.p99, d.max
FROM spent AS t
LEFT JOIN summed AS s ON s.activity = t.activity
LEFT JOIN temp.distribution AS d ON d.name = t.activity
WHERE EXISTS (SELECT 1 FROM part) -- otherwise both rows cover the whole trace
ORDER BY t.activity = 'all', t.activity = 'none', t.activity;
-- distribution
SELECT activity, duration FROM (
    WITH
    -- include: background
    SELECT activity, duration FROM counted
)
-- remark excluded
SELECT printf('excluded: %d of %s: issue (D) not in the log', sum(duration IS NULL), counted(count(*), 'I/O{s}'))
FROM temp.selected_event
HAVING sum(duration IS NULL) > 0;
-- remark
SELECT 'the log has no F2FS checkpoint or garbage collection'
WHERE NOT EXISTS (
    SELECT 1 FROM temp.selection AS s CROSS JOIN main.trace AS t ON t.id = s.trace
    CROSS JOIN main.trace AS o ON o.log = t.log AND o.kind = 'spans'
    CROSS JOIN main.name AS n ON n.trace = o.id AND n.kind = 'background' AND n.text <> 'discard'
);
-- remark
WITH
    -- include: background
SELECT 'background work of the log is only before the first I/O or after the last one'
WHERE EXISTS (SELECT 1 FROM ran) AND EXISTS (SELECT 1 FROM io) AND NOT EXISTS (
    SELECT 1 FROM (SELECT trace, min(begin) AS first, max("end") AS last FROM io GROUP BY trace) AS p
    JOIN ran AS r ON r.trace = p.trace AND r.begin < p.last AND r."end" > p.first
);
-- include: loss-remark
