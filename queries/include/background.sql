    -- CTEs on I/Os and concurrent activities. `other`: traces of kind spans, by log. `ran`:
    -- activities of the file system in them, and discards of the I/Os' own trace. `io`: other I/Os
    -- with a time, none without activities. `marked`: these, with flags for each activity that overlapped. An activity
    -- overlaps if it began before the I/O completed, and the latest end of such activities is after
    -- the I/O's issue.
    other AS MATERIALIZED (
        SELECT t.log, t.first_event, t.last_event, t.last_time
        FROM (SELECT DISTINCT trace FROM main.name WHERE kind = 'background') AS n
        JOIN main.trace AS t ON t.id = n.trace
        WHERE t.kind = 'spans'
    ),
    ran AS MATERIALIZED (
        SELECT s.trace, substr(n.text, 1, instr(replace(n.text, ',', ' ') || ' ', ' ') - 1) AS activity,
            e.time AS begin, e.time + ifnull(e.duration, o.last_time - e.time) AS "end"
        FROM temp.selection AS s
        CROSS JOIN main.trace AS t ON t.id = s.trace
        CROSS JOIN other AS o ON o.log = t.log
        CROSS JOIN main.event AS e ON e.id BETWEEN o.first_event AND o.last_event
        CROSS JOIN main.name AS n ON n.id = e.operation
        WHERE n.kind = 'background' AND n.text <> 'discard'
        UNION ALL
        SELECT e.trace, 'discard', e.time - e.duration, e.time
        FROM (SELECT 1 FROM temp.tally_letters WHERE io_flag(letters, 'discard') LIMIT 1)
        CROSS JOIN temp.selected_event AS e
        WHERE io_flag(e.flags, 'discard') AND e.duration > 0
    ),
    io AS MATERIALIZED (
        SELECT e.trace, e.time - e.duration AS begin, e.time AS "end", ifnull(e.size, 0) AS size, e.duration
        FROM (SELECT 1 FROM ran LIMIT 1) CROSS JOIN temp.selected_event AS e
        WHERE e.duration IS NOT NULL AND NOT io_flag(e.flags, 'discard')
    ),
    moment AS (
        SELECT trace, "end" AS at, 1 AS is_io, begin, size, duration,
            NULL AS checkpoint, NULL AS collection, NULL AS discard
        FROM io
        UNION ALL
        SELECT trace, begin, 0, NULL, NULL, NULL, iif(activity = 'checkpoint', "end", NULL),
            iif(activity = 'collection', "end", NULL), iif(activity = 'discard', "end", NULL)
        FROM ran
    ),
    marked AS MATERIALIZED (
        SELECT is_io, size, duration,
            ifnull(max(checkpoint) OVER so_far > begin, 0) AS checkpoint,
            ifnull(max(collection) OVER so_far > begin, 0) AS collection,
            ifnull(max(discard) OVER so_far > begin, 0) AS discard
        FROM moment
        WINDOW so_far AS (PARTITION BY trace ORDER BY at, is_io DESC ROWS UNBOUNDED PRECEDING)
    ),
    counted AS (
        SELECT 'checkpoint' AS activity, size, duration FROM marked WHERE is_io AND checkpoint
        UNION ALL
        SELECT 'collection', size, duration FROM marked WHERE is_io AND collection
        UNION ALL
        SELECT 'discard', size, duration FROM marked WHERE is_io AND discard
        UNION ALL
        SELECT 'none', size, duration FROM marked WHERE is_io AND NOT (checkpoint OR collection OR discard)
        UNION ALL
        SELECT 'all', size, duration FROM marked WHERE is_io
    )
