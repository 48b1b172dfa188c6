-- report: popularity
-- question: Which operations, files or sectors are used most?
-- title: The log without its most popular operations
-- kinds: calls
-- formats: palmist
-- when: without-top
-- parameter: without-top integers none "the log without its N most frequent operations; 3,7,10 compares three values of N"
-- parameter: logging-time duration 0.01s "with --without-top: time that logging a call takes"
-- tally: operation
-- plot: without-top
-- worth: events_share bytes_share time_share events bytes time
-- column: part text - - group of events: all, those of the N most popular operations, or the rest
-- column: operations int - - number of distinct operations
-- column: events int - - number of events
-- column: events_share share fraction - share of all events
-- column: bytes bytes bytes - number of bytes
-- column: bytes_share share fraction - share of all bytes
-- column: time duration ns - total time
-- column: time_share share fraction - share of all time
-- compare: rows key=part value=operations,events,bytes,time
--
-- On the device, a call takes 12 bytes and its arguments. Logging it takes --logging-time, which
-- slows the program down.
WITH RECURSIVE split(n, rest) AS (
    SELECT NULL, :without_top || ','
    UNION ALL
    SELECT CAST(substr(rest, 1, instr(rest, ',') - 1) AS INTEGER), substr(rest, instr(rest, ',') + 1)
    FROM split WHERE rest <> ''
),
wanted(n) AS (SELECT DISTINCT n FROM split WHERE n IS NOT NULL),
called AS MATERIALIZED (
    SELECT
        sum(t.count) AS count,
        sum(t.bytes) + 12 * sum(t.count) AS bytes,
        row_number() OVER (ORDER BY sum(t.count) DESC, n.text, n.code) AS rank
    FROM temp.tally_operation AS t
    JOIN main.name AS n ON n.id = t.operation
    GROUP BY n.kind, n.text, n.code
),
run(time) AS (
    SELECT sum(e.time - s.time) FROM temp.selection AS x
    CROSS JOIN main.event AS s ON s.id = x.first_event
    CROSS JOIN main.event AS e ON e.id = x.last_event
    WHERE x.first_event <= x.last_event
),
-- With several N, the names of parts contain N.
part(n, position, part, least, most) AS (
    SELECT 0, 1, 'all', 1, 9223372036854775807
    UNION ALL SELECT n, 2, 'top ' || n, 1, n FROM wanted
    UNION ALL SELECT n, 3, iif((SELECT count(*) FROM wanted) > 1, 'without top ' || n, 'without them'),
        n + 1, 9223372036854775807 FROM wanted
),
counted AS (
    SELECT
        n,
        position,
        part,
        count(called.count) AS operations,
        ifnull(sum(called.count), 0) AS count,
        ifnull(sum(called.bytes), 0) AS bytes
    FROM part
    LEFT JOIN called ON called.rank BETWEEN part.least AND part.most
    GROUP BY n, position
)
SELECT
    part,
    operations,
    count AS events,
    1.0 * count / max(count) OVER () AS events_share,
    bytes,
    1.0 * bytes / max(bytes) OVER () AS bytes_share,
    count * :logging_time AS time,
    1.0 * count * :logging_time / nullif((SELECT time FROM run), 0) AS time_share
FROM counted
ORDER BY n, position;
-- remark definition
SELECT 'bytes: size of the log on the Palm device, 12 per call plus its arguments';
-- remark definition
SELECT 'time: taken by logging the calls, '
    || printf('%g', :logging_time / 1e6) || ' ms each (--logging-time); time_share: of the run time';
-- remark
SELECT '--without-top ' || :without_top || ' excludes nothing' WHERE ',' || :without_top || ',' GLOB '*,0*' AND CAST(:without_top AS INTEGER) = 0;
