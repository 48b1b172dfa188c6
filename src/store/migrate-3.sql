-- From schema version 3 to 4.
--
-- Who dispatched an I/O beside who asked for it. Of the traces that are there, nothing more is known
-- than before: their column issuer means nothing, and nobody knows when an I/O was asked for.
ALTER TABLE event ADD COLUMN issuer INTEGER;
ALTER TABLE event ADD COLUMN response INTEGER;

CREATE TABLE rollup_origin (
    trace INTEGER, action INTEGER, origin INTEGER,
    count INTEGER, bytes INTEGER,
    PRIMARY KEY (trace, action, origin)
) WITHOUT ROWID;
INSERT INTO rollup_origin
SELECT r.trace, r.action, 0, sum(r.count), sum(r.bytes)
FROM rollup_process AS r JOIN trace AS t ON t.id = r.trace
WHERE instr(' ' || t.rollups || ' ', ' process ') > 0
GROUP BY r.trace, r.action;
UPDATE trace SET rollups = rollups || ' origin'
WHERE instr(' ' || rollups || ' ', ' process ') > 0;

-- What carries no data is of class 5, flush, when it has the letter F in front (64) or was a write
-- (class 2, 3), whose letters W and S are bits 19 and 20 now. A write without a sector is a SCSI command
-- and stays one; so does a discard (256).
CREATE TEMP TABLE with_flushes AS
SELECT id AS trace FROM main.trace AS t WHERE kind = 'io' AND (
    ' ' || rollups || ' ' NOT LIKE '% size %'
    OR EXISTS (SELECT 1 FROM main.rollup_size AS r WHERE r.trace = t.id AND r.size = 0));

UPDATE event SET flags = flags & ~7 | 5
    | iif(flags & 7 IN (2, 3), 524288, 0) | iif(flags & 7 IN (1, 3), 1048576, 0)
WHERE id IN (
    SELECT e.id FROM temp.with_flushes AS f
    CROSS JOIN main.trace AS t ON t.id = f.trace
    CROSS JOIN main.event AS e ON e.id BETWEEN t.first_event AND t.last_event
    CROSS JOIN main.name AS n ON n.id = e.operation AND n.kind = 'action'
    WHERE e.size = 0 AND e.flags & 256 = 0
        AND (e.flags & 64 OR (e.flags & 7 IN (2, 3) AND e.address IS NOT NULL)));

-- Their rollups by class are counted by each report instead.
DELETE FROM rollup_hour WHERE trace IN (SELECT trace FROM temp.with_flushes);
DELETE FROM rollup_size WHERE trace IN (SELECT trace FROM temp.with_flushes);
DELETE FROM rollup_block WHERE trace IN (SELECT trace FROM temp.with_flushes);
DELETE FROM rollup_process WHERE trace IN (SELECT trace FROM temp.with_flushes);
UPDATE trace SET rollups = trim(iif(' ' || rollups || ' ' LIKE '% operation %', 'operation', '')
    || iif(' ' || rollups || ' ' LIKE '% origin %', ' origin', ''))
WHERE id IN (SELECT trace FROM temp.with_flushes);
DROP TABLE temp.with_flushes;

-- Calls that were open behind the last record end with it, or where the log was gone on with by
-- --append, with the first record of their thread behind it, which is at depth 0. What the thread's
-- CPU clock said is not known any more.
CREATE TABLE open_call (
    event INTEGER PRIMARY KEY,
    duration INTEGER NOT NULL,
    self INTEGER,
    cpu_duration INTEGER,
    cpu_self INTEGER
);
-- The traces that have such calls, the calls, and the rows at which their threads begin anew. What a
-- damaged log adds up to stops at the largest number, as in a cast.
CREATE TABLE open_trace AS
SELECT t.id AS trace, t.first_event AS first, t.last_event AS last, t.clocks LIKE 'wall%' AS shared
FROM trace AS t
WHERE t.kind = 'spans' AND t.clocks <> '' AND EXISTS (SELECT 1 FROM event AS e
    WHERE e.id BETWEEN t.first_event AND t.last_event AND e.flags & 4);
CREATE TABLE open_found AS
SELECT e.id, e.time, e.actor, iif(t.shared, ifnull(a.pid, 0), -e.actor) AS process, t.trace
FROM open_trace AS t
CROSS JOIN event AS e ON e.id BETWEEN t.first AND t.last
JOIN actor AS a ON a.id = e.actor
WHERE e.flags & 4;
CREATE TABLE open_end (trace, process, time, PRIMARY KEY (trace, process));
INSERT INTO open_end
SELECT t.trace, iif(t.shared, ifnull(a.pid, 0), -e.actor),
    max(CAST(e.time + ifnull(e.duration, 0) AS INTEGER))
FROM open_trace AS t
CROSS JOIN event AS e ON e.id BETWEEN t.first AND t.last
JOIN actor AS a ON a.id = e.actor
GROUP BY 1, 2;
CREATE TABLE open_again AS
SELECT e.actor, e.id, e.time
FROM open_trace AS t
CROSS JOIN event AS e ON e.id BETWEEN t.first AND t.last
JOIN (SELECT actor, min(id) AS id FROM open_found GROUP BY actor) AS f ON f.actor = e.actor
WHERE e.depth = 0 AND e.id > f.id;
CREATE INDEX open_again_by_actor ON open_again (actor, id);
INSERT INTO open_call (event, duration)
SELECT o.id, max(0, CAST(min(p.time, ifnull((SELECT g.time FROM open_again AS g
    WHERE g.actor = o.actor AND g.id > o.id ORDER BY g.id LIMIT 1), p.time)) - o.time AS INTEGER))
FROM open_found AS o
JOIN open_end AS p ON p.trace = o.trace AND p.process = o.process;
-- Self times lack what was called. A sum is taken in two halves, for it may exceed an integer.
CREATE TABLE open_callee AS
SELECT e.parent AS event, ifnull(e.duration, c.duration) AS duration
FROM open_trace AS t
CROSS JOIN event AS e ON e.id BETWEEN t.first AND t.last
JOIN open_call AS o ON o.event = e.parent
LEFT JOIN open_call AS c ON c.event = e.id;
UPDATE open_call SET self = max(0, duration - i.inside)
FROM (SELECT event, iif(total(duration) < 9.2e18,
        (sum(duration >> 32) << 32) + sum(duration & 0xffffffff), 0x7fffffffffffffff) AS inside
    FROM open_callee GROUP BY event) AS i
WHERE i.event = open_call.event AND i.inside > 0;
DROP TABLE open_callee;
DROP TABLE open_again;
DROP TABLE open_end;
DROP TABLE open_found;
DROP TABLE open_trace;
UPDATE remark SET text = replace(text, 'still open at the end, counted without a duration:',
    'still open at the end of the log, and ended with it:')
WHERE text LIKE 'still open at the end, counted without a duration:%'
    AND trace IN (SELECT id FROM trace WHERE clocks <> '');
