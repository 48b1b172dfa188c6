-- report: findings
-- title: the first thread blocked
-- kinds: spans
-- tally: long_call span
-- weight: weight time
-- say: {thread}[ was in one call for more than {limit} {blocked} {noun}, {time} in all; the longest, {name}, took {most}][; {dead} of them took more than 5 s, which Android calls not responding][{had}{late} of {frames} frames took more than {frame}, the longest {worst}]
-- look: report slowest
-- why: The first thread draws the screen and takes the input. While it is blocked, it does neither.
-- unless: The program has no screen.
-- source: Android's documentation: 16.7 ms are a frame at 60 Hz, after 5 s without an answer an application is not responding (ANR); 100 ms is what people take for at once (Nielsen 1993).
-- parameter: main-thread-blocked-time real 100 "milliseconds above which an outermost call blocks, at least 10"
-- parameter: main-thread-blocked-frame real 16.7 "milliseconds above which a frame is late, at least 10"
-- column: fires int
-- column: value duration
-- column: threshold duration
-- column: weight share
-- column: thread text
-- column: limit duration
-- column: blocked int
-- column: noun text
-- column: time duration
-- column: name text
-- column: most duration
-- column: dead int
-- column: had text
-- column: late int
-- column: frames int
-- column: frame duration
-- column: worst duration
-- column: look text
-- Chooses the thread with most of it. A call that takes nearly all of the log is the program
-- itself. NULL if the log's clock does not tell milliseconds, or the log not which thread is the first.
WITH "limit" AS (
    SELECT CAST(1e6 * :main_thread_blocked_time AS INTEGER) AS call, CAST(1e6 * :main_thread_blocked_frame AS INTEGER) AS frame
),
length AS MATERIALIZED (
    SELECT t.last_time - t.first_time AS time, s.time AS chosen,
        iif(t.clock_unit = 'ns' AND EXISTS (SELECT 1 FROM main.actor AS a WHERE a.trace = t.id AND a.pid IS NOT NULL), 0, NULL) AS quiet
    FROM temp.selection AS s
    CROSS JOIN main.trace AS t ON t.id = s.trace
),
item AS MATERIALIZED (
    SELECT actor, sum(depth = 0 AND duration > (SELECT call FROM "limit")) AS blocked,
        sum_time(iif(depth = 0 AND duration > (SELECT call FROM "limit"), duration, 0)) AS time,
        sum(depth = 0 AND duration > max((SELECT call FROM "limit"), 5000000000)) AS dead,
        max(iif(depth = 0, duration, 0)) AS most, sum(frame AND duration > (SELECT frame FROM "limit")) AS late,
        sum_time(iif(frame AND duration > (SELECT frame FROM "limit"), duration, 0)) AS late_time,
        max(iif(frame, duration, 0)) AS worst
    FROM temp.long_call
    WHERE (frame OR duration < 0.95 * (SELECT time FROM length)) AND (SELECT quiet FROM length) = 0
    GROUP BY actor
    ORDER BY max(time, late_time) DESC, most DESC, actor
    LIMIT 1
)
SELECT ifnull(i.blocked OR i.late, l.quiet) AS fires, iif(i.blocked OR NOT i.late, i.most, i.worst) AS value,
    iif(i.late AND NOT i.blocked, (SELECT frame FROM "limit"), (SELECT call FROM "limit")) AS threshold,
    min(1.0, 1.0 * max(i.time, i.late_time) / nullif(l.chosen, 0)) AS weight,
    a.label AS thread, iif(i.blocked, (SELECT call FROM "limit"), NULL) AS "limit", i.blocked, iif(i.blocked = 1, 'time', 'times') AS noun, i.time,
    (SELECT n.text FROM temp.long_call AS c JOIN main.name AS n ON n.id = c.operation
        WHERE c.actor = i.actor AND c.depth = 0 AND (c.frame OR c.duration < 0.95 * (SELECT time FROM length)) ORDER BY c.duration DESC, n.text LIMIT 1) AS name,
    i.most, nullif(i.dead, 0) AS dead, iif(i.blocked, '; ', ': ') AS had, nullif(i.late, 0) AS late,
    (SELECT sum(t.calls) FROM temp.tally_span AS t JOIN main.name AS n ON n.id = t.operation
        WHERE t.actor = i.actor AND n.text LIKE '%doFrame%') AS frames,
    (SELECT frame FROM "limit") AS frame, i.worst,
    iif(i.late AND NOT i.blocked, 'report slowest --op ''*doFrame*''', NULL) AS look
FROM length AS l
LEFT JOIN item AS i
LEFT JOIN temp.thread AS a ON a.id = i.actor
