-- report: overview
-- question: What is in the trace, and what stands at the top?
-- title: Overview
-- kinds: calls
-- events: yes
-- tally: operation copied call_file
-- plot: none
-- blank: most
-- column: figure text - - what the value says
-- column: most text - - what of it comes first, or where it is
-- column: value any - - the value
-- fact: threads rows figure = threads
--
-- Times, files and errors are there where the log has them.
WITH
-- include: call-does
,
-- include: call-directions
, named AS MATERIALIZED (
    SELECT n.text AS name, t.calls, t.failed, t.returned, t.timed, t.total, t.object, t.error
    FROM temp.tally_call AS t
    JOIN main.name AS n ON n.id = t.operation
),
by_call AS MATERIALIZED (
    SELECT name, sum(calls) AS calls, sum_time(total) AS total
    FROM named
    GROUP BY name
),
sums AS MATERIALIZED (
    SELECT sum(calls) AS calls, sum(timed) AS timed, sum_time(total) AS total,
        sum(iif(failed, calls, 0)) AS failed, sum(iif(returned, calls, 0)) AS returned,
        EXISTS (SELECT 1 FROM temp.selection AS x JOIN main.meaning AS m ON m.trace = x.trace
            WHERE m."column" = 'value' AND m.what = 'result') AS has_results
    FROM named
),
by_file AS MATERIALIZED (
    SELECT o.name, sum(t.calls) AS calls, sum_time(t.total) AS total
    FROM temp.tally_call AS t
    JOIN main.object AS o ON o.id = t.object
    WHERE o.name IS NOT NULL
    GROUP BY o.name
),
by_error AS (
    SELECT ifnull(e.text, 'no error code') AS error, t.name, sum(t.calls) AS calls
    FROM named AS t
    LEFT JOIN main.name AS e ON e.id = t.error
    WHERE t.failed
    GROUP BY 1, 2
    ORDER BY 3 DESC, 1, 2
    LIMIT 3
),
-- The events among which the longest call is: a chunk of the columns, where the trace has some.
longest_of AS (
    SELECT s.trace, ifnull(s.first_event + c.first, s.first_event) AS first,
        ifnull(s.first_event + c.first + c.count - 1, s.last_event) AS last
    FROM temp.selection AS s
    LEFT JOIN main.event_column AS c ON NOT s.filtered AND s.whole AND c.trace = s.trace
        AND c.field = 'duration' AND c.first = (
            SELECT b.first FROM main.event_column AS b
            WHERE b.trace = s.trace AND b.field = 'duration'
            ORDER BY b.most DESC, b.first LIMIT 1)
),
longest AS MATERIALIZED (
    SELECT e.duration, n.text AS name, o.name AS file, a.label AS thread, e.time
    FROM longest_of AS l
    CROSS JOIN temp.selected_event AS e ON e.trace = l.trace AND e.id BETWEEN l.first AND l.last
    LEFT JOIN main.name AS n ON n.id = e.operation
    LEFT JOIN main.object AS o ON o.id = e.object
    LEFT JOIN temp.thread AS a ON a.id = e.actor
    WHERE e.duration IS NOT NULL
    ORDER BY e.duration DESC, e.id
    LIMIT 1
)
SELECT 'calls' AS figure,
    (SELECT group_concat(printf('%s %.0f %%', name, 100.0 * b.calls / s.calls), ', ')
        FROM (SELECT * FROM by_call ORDER BY calls DESC, name LIMIT 3) AS b) AS most,
    ifnull(calls, 0) AS value, 'integer' AS _kind
    FROM sums AS s
UNION ALL SELECT 'threads', NULL, (SELECT count(DISTINCT t.actor) FROM temp.tally_operation AS t
        WHERE t.actor > 0), 'integer'
UNION ALL SELECT 'run time', NULL, (SELECT ifnull(sum(e.time - b.time), 0) FROM temp.selection AS x
        CROSS JOIN main.event AS b ON b.id = x.first_event
        CROSS JOIN main.event AS e ON e.id = x.last_event
        WHERE x.first_event <= x.last_event), 'duration'
UNION ALL SELECT 'time in calls',
    (SELECT group_concat(printf('%s %.0f %%', name, 100.0 * b.total / s.total), ', ')
        FROM (SELECT * FROM by_call WHERE total > 0 ORDER BY total DESC, name LIMIT 3) AS b),
    total, 'duration'
    FROM sums AS s WHERE timed > 0
UNION ALL SELECT 'longest call',
    printf('%s%s%s, at %.6f s', name, ifnull(' on ' || file, ''), ifnull(' by ' || thread, ''),
        time / 1e9), duration, 'duration'
    FROM longest
UNION ALL SELECT 'bytes read', NULL, sum_time(iif(does = 'read', bytes, 0)), 'bytes'
    FROM directed HAVING sum(does = 'read') > 0
UNION ALL SELECT 'bytes written', NULL, sum_time(iif(does = 'write', bytes, 0)), 'bytes'
    FROM directed HAVING sum(does = 'write') > 0
UNION ALL SELECT 'synchronisations', group_concat(printf('%s %d', name, calls), ', '), sum(calls),
    'integer'
    FROM (SELECT * FROM by_call
        WHERE name IN ('fsync', 'fdatasync', 'sync', 'syncfs', 'sync_file_range', 'msync')
        ORDER BY calls DESC, name)
    HAVING sum(calls) > 0
UNION ALL SELECT 'files',
    (SELECT iif(b.total > 0,
            printf('%s %.0f %% of the time in calls', b.name,
                100.0 * b.total / (SELECT total FROM sums)),
            printf('%s %.0f %% of calls', b.name, 100.0 * b.calls / (SELECT calls FROM sums)))
        FROM by_file AS b ORDER BY b.total DESC, b.calls DESC, b.name LIMIT 1), count(*), 'integer'
    FROM by_file HAVING count(*) > 0
UNION ALL SELECT 'failed calls',
    printf('%.1f %% of %d', 100.0 * failed / returned, returned) || ifnull((
        SELECT ': ' || group_concat(printf('%s %s %d', name, error, calls), ', ') FROM by_error), ''),
    failed, 'integer'
    FROM sums WHERE returned > 0 AND has_results
UNION ALL SELECT 'log size', NULL, (SELECT sum(f.size) FROM temp.selection AS s
    CROSS JOIN main.source AS f ON f.trace = s.trace), 'bytes';
-- include: not-returned-remark
