-- report: summary
-- question: What are the key figures of the trace?
-- title: Summary
-- kinds: io
-- options: weights
-- tally: size process file_type hour object? weights
-- column: attribute text - - what the value says
-- key: attribute
-- column: value any - - the value
-- compare: rows
-- fact: synchronous-flags rows attribute = synchronous share of writes
-- fact: flushes rows attribute = flushes
-- fact: reads-and-writes rows attribute = reads, writes, writes per read, bytes read, bytes written
-- fact: sizes rows attribute = bytes read, bytes written, mean I/O size, share of 4 KB I/Os
-- fact: file-types rows attribute = share of SQLite databases, share of SQLite journals
-- fact: files rows attribute = files
-- fact: processes rows attribute = processes
--
-- `events` are those of all actions; all else is of the counted one: completed, unless --action names
-- another. Flushes are no I/Os of their own; mean size and share of 4 KB are of I/Os that carry data.
WITH
-- include: directions
,
-- include: class-weight
, io AS (
    SELECT
        ifnull(sum(count) FILTER (WHERE NOT is_flush), 0) AS count,
        ifnull(sum(count) FILTER (WHERE is_flush), 0) AS flushes,
        ifnull(sum(count) FILTER (WHERE size > 0), 0) AS with_data,
        ifnull(sum(count) FILTER (WHERE is_read), 0) AS reads,
        ifnull(sum(count) FILTER (WHERE is_write), 0) AS writes,
        ifnull(sum(count) FILTER (WHERE class = io_class_number('writesync')), 0) AS sync_writes,
        ifnull(sum(bytes) FILTER (WHERE is_read), 0) AS bytes_read,
        ifnull(sum(bytes) FILTER (WHERE is_write), 0) AS bytes_written,
        -- Of whole I/Os: where files are chosen, `bytes` are theirs alone.
        total(size * count) AS whole_bytes,
        ifnull(sum(count) FILTER (WHERE size = 4096), 0) AS of_4_kb
    FROM sized
),
by_hour AS (
    SELECT (t.hour % 24 + 24) % 24 AS hour, sum(t.count) AS count
    FROM temp.tally_hour AS t
    JOIN temp.selection AS s ON s.trace = t.trace AND s.of_day
    WHERE t.class <> io_class_number('flush')
    GROUP BY 1
),
file_type AS (
    SELECT
        sum(count) FILTER (WHERE file_type = 'sqlite-db') AS database,
        sum(count) FILTER (WHERE file_type = 'sqlite-journal') AS journal
    FROM temp.tally_file_type
    WHERE class <> io_class_number('flush')
)
SELECT 'run time' AS attribute, (
    SELECT ifnull(sum(e.time - s.time), 0) FROM temp.selection AS x
    CROSS JOIN main.event AS s ON s.id = x.first_event
    CROSS JOIN main.event AS e ON e.id = x.last_event
    WHERE x.first_event <= x.last_event) AS value, 'duration' AS _kind
UNION ALL SELECT 'events', sum(events), 'integer'
    FROM temp.selection HAVING NOT max(filtered)
UNION ALL SELECT 'operations seen', (
    SELECT count(DISTINCT n.text) FROM temp.selection AS s
    CROSS JOIN main.name AS n ON n.trace = s.trace WHERE n.kind = 'action'), 'integer'
    -- Only of whole traces is that what their names say.
    WHERE NOT EXISTS (
        SELECT 1 FROM temp.selection AS s CROSS JOIN main.trace AS t ON t.id = s.trace
        WHERE s.filtered OR s.first_event <> t.first_event OR s.last_event <> t.last_event
    )
UNION ALL SELECT 'I/Os', count, 'integer' FROM io
UNION ALL SELECT 'reads', reads, 'integer' FROM io
UNION ALL SELECT 'writes', writes, 'integer' FROM io
UNION ALL SELECT 'flushes', flushes, 'integer' FROM io
UNION ALL SELECT 'writes per read', round(1.0 * writes / reads, 6), 'real' FROM io
UNION ALL SELECT 'synchronous share of writes', 1.0 * sync_writes / writes, 'share' FROM io
UNION ALL SELECT 'bytes read', bytes_read, 'bytes' FROM io
UNION ALL SELECT 'bytes written', bytes_written, 'bytes' FROM io
UNION ALL SELECT 'mean I/O size', whole_bytes / with_data, 'real bytes' FROM io
UNION ALL SELECT 'share of 4 KB I/Os', 1.0 * of_4_kb / with_data, 'share' FROM io
UNION ALL SELECT 'share of SQLite databases', 1.0 * ifnull(database, 0) / count, 'share'
    FROM io, file_type
UNION ALL SELECT 'share of SQLite journals', 1.0 * ifnull(journal, 0) / count, 'share'
    FROM io, file_type
UNION ALL SELECT 'busiest hour', (SELECT hour FROM by_hour ORDER BY count DESC, hour LIMIT 1),
    'number h' WHERE EXISTS (SELECT 1 FROM by_hour)
UNION ALL SELECT 'share of the two busiest hours', (
    SELECT sum(count) FROM (SELECT count FROM by_hour ORDER BY count DESC LIMIT 2))
    * 1.0 / (SELECT sum(count) FROM by_hour), 'share'
    WHERE EXISTS (SELECT 1 FROM by_hour)
UNION ALL SELECT 'processes', (
    SELECT count(DISTINCT t.process) FROM temp.tally_process AS t
    -- A log that names none adds none to those of others.
    WHERE t.process <> '' OR NOT EXISTS (
        SELECT 1 FROM main.meaning AS m
        WHERE m.trace = t.trace AND m."column" = '' AND m.what = 'no processes')), 'integer'
UNION ALL SELECT 'files', (
    -- Of a whole trace, all that it names.
    SELECT count(DISTINCT o.name) FROM temp.selection AS s
    CROSS JOIN main.object AS o ON o.trace = s.trace
    WHERE (NOT s.filtered AND s.whole) OR o.id IN (SELECT object FROM temp.tally_object)),
    'integer'
UNION ALL SELECT 'log size', (
    SELECT sum(f.size) FROM temp.selection AS s
    CROSS JOIN main.source AS f ON f.trace = s.trace), 'bytes'
UNION ALL SELECT 'cost', (
    SELECT total(w.call * t.count + w.byte * t.bytes)
    FROM temp.tally_size AS t JOIN class_weight AS w ON w.class = t.class), 'real ' || unit
    FROM temp.weight_unit;
-- include: outlying-remark
-- include: weights-remark
