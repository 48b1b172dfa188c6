-- report: summary
-- question: What are the key figures of the trace?
-- title: Summary
-- kinds: calls
-- tally: operation size
-- part: weights
-- when: weights
-- tally: call_operation weights_of_times
-- part: main
-- part: all
-- column: attribute text - - what the value says
-- key: attribute
-- column: value any - - the value
-- compare: rows
--
-- What could have been logged comes from the configuration, else it is the default set. A record
-- of Palmist's is a call: 12 bytes and its arguments, however the log came here.
WITH
-- part: weights
-- include: weight-of
,
-- include: cost-of-calls
,
-- part: all
seen AS (
    SELECT DISTINCT n.kind, n.text, n.code
    FROM temp.tally_operation AS t
    JOIN main.name AS n ON n.id = t.operation
),
counts AS (
    SELECT
        (SELECT sum(e.time - s.time) FROM temp.selection AS x
            CROSS JOIN main.event AS s ON s.id = x.first_event
            CROSS JOIN main.event AS e ON e.id = x.last_event
            WHERE x.first_event <= x.last_event) AS run_time,
        (SELECT sum(count) FROM temp.tally_operation) AS events,
        (SELECT count(*) FROM seen) AS seen,
        (SELECT count(*) FROM seen WHERE code IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM temp.loggable_operation AS l WHERE l.code = seen.code)) AS outside,
        (SELECT count(DISTINCT code) FROM temp.loggable_operation) AS loggable,
        (SELECT min(by_default) FROM temp.loggable_operation) AS by_default,
        (SELECT count(DISTINCT actor) FROM temp.tally_operation) AS applications,
        (SELECT count(DISTINCT a.trace || ' ' || a.session) FROM temp.tally_operation AS t
            JOIN main.actor AS a ON a.id = t.actor) AS sessions,
        (SELECT sum(bytes) FROM temp.tally_size) AS bytes,
        (SELECT sum(count) FROM temp.tally_size) AS sized,
        (SELECT sum(count) FROM temp.tally_size WHERE size = 0) AS empty,
        (SELECT max(size) FROM temp.tally_size) AS largest
),
attributes (attribute, value, _kind) AS MATERIALIZED (
    SELECT 'run time', ifnull(run_time, 0), 'duration' FROM counts
    UNION ALL SELECT 'events', ifnull(events, 0), 'integer' FROM counts
    UNION ALL SELECT 'operations seen',
        iif(loggable = 0, seen,
            seen || ' of ' || loggable || iif(by_default, ' (default set)', '')), 'text'
        FROM counts
    UNION ALL SELECT 'operations seen outside that set', outside, 'integer' FROM counts
        WHERE outside > 0 AND loggable > 0
    UNION ALL SELECT 'applications', applications, 'integer' FROM counts
    UNION ALL SELECT 'sessions', sessions, 'integer' FROM counts
    UNION ALL SELECT 'mean argument size', 1.0 * bytes / sized, 'real bytes' FROM counts
    UNION ALL SELECT 'largest argument size', largest, 'bytes' FROM counts
    UNION ALL SELECT 'argument bytes', ifnull(bytes, 0), 'bytes' FROM counts
    UNION ALL SELECT 'calls without arguments', ifnull(empty, 0), 'integer' FROM counts
    UNION ALL SELECT 'share of calls without arguments', 1.0 * ifnull(empty, 0) / sized, 'share'
        FROM counts
    UNION ALL SELECT 'bytes a record', 12 + 1.0 * bytes / sized, 'real bytes' FROM counts
        WHERE sized > 0 AND NOT EXISTS (
            SELECT 1 FROM temp.selection AS s
            CROSS JOIN main.trace AS t ON t.id = s.trace
            WHERE t.format <> 'palmist')
    UNION ALL SELECT 'log size', (SELECT sum(f.size) FROM temp.selection AS s
        CROSS JOIN main.source AS f ON f.trace = s.trace), 'bytes'
-- part: weights
    UNION ALL SELECT 'cost', (SELECT sum(cost) FROM costed), 'real ' || unit FROM temp.weight_unit
-- part: all
),
less (attribute) AS (VALUES
    ('operations seen outside that set'), ('largest argument size'), ('calls without arguments')
)
SELECT attribute, value,
    iif(attribute = 'run time', (SELECT count(*) FROM attributes WHERE attribute IN less), 0) AS _more, _kind
FROM attributes
WHERE :brief IS NULL OR attribute NOT IN less;
-- remark
SELECT 'operations seen: default set, all loggable system calls of Palm OS up to 3.5; the thesis counts 881, 735 of '
    || 'them logged: set loggable: in the configuration to those of a study'
WHERE (SELECT min(by_default) FROM temp.loggable_operation) = 1;
-- include: outlying-remark
-- include: unpaired-calls
-- part: weights
-- include: weights-remark
