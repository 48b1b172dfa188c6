-- report: errors
-- page: 50
-- question: Which calls failed, with which error, on which file?
-- kinds: calls
-- needs: value=result
-- window: begun
-- plot: errors
-- order: count
-- worth: count rate calls
-- compare: counts value=count
-- blank: error
-- absent: calls rate
-- by: process
-- title: Calls that failed, and how, by process
-- tally: call_thread
-- key: process name error
-- column: process text - - the process
-- by: program
-- title: Calls that failed, and how, by program
-- tally: call_thread
-- key: program name error
-- column: program text - - the name of the process, without its number
-- by: thread
-- title: Calls that failed, and how, by thread
-- tally: call_thread
-- key: thread name error
-- column: thread text - - the thread
-- by: file
-- title: Calls that failed, and how, by file
-- tally: failure call_operation file_found?
-- needs: object=file
-- when: by = file by default
-- key: name error file
--
-- Row per error of a call on a file. `calls` counts all returned calls of that name on the file;
-- `rate` is the share that failed with this error.
-- by: all
-- column: name text - - name in the log
-- column: error text - - error with which the calls failed, such as ENOENT
-- by: file
-- column: file path - - the file; none if unknown
-- by: all
-- column: count int - - number of events, or of references, in the row
-- column: calls int - - number of calls
-- column: rate share fraction less share of the calls that failed
WITH item AS (
-- by: file
    SELECT o.name AS part, t.operation, t.error, t.failed, t.calls
    FROM temp.tally_failure AS t
    LEFT JOIN main.object AS o ON o.id = t.object
-- by: process
    SELECT a.label AS part, t.operation, t.error, t.failed, t.calls
    FROM temp.tally_call AS t
    LEFT JOIN temp.process AS a ON a.id = t.actor
-- by: program
    SELECT a.label AS part, t.operation, t.error, t.failed, t.calls
    FROM temp.tally_call AS t
    LEFT JOIN temp.program AS a ON a.id = t.actor
-- by: thread
    SELECT a.label AS part, t.operation, t.error, t.failed, t.calls
    FROM temp.tally_call AS t
    LEFT JOIN temp.thread AS a ON a.id = t.actor
-- by: process program thread
    WHERE t.returned
-- by: all
),
-- Failures: the failed rows of `item` (part, operation, error, failed, calls), with the number of
-- all calls of the same name and part.
summed AS (
    SELECT i.part, n.text AS name, f.text AS error, i.failed, sum(i.calls) AS count
    FROM item AS i
    JOIN main.name AS n ON n.id = i.operation
    LEFT JOIN main.name AS f ON f.id = i.error
    GROUP BY 1, 2, 3, 4
),
failure AS (
    SELECT *
    FROM (SELECT *, sum(count) OVER (PARTITION BY part, name) AS calls FROM summed)
    WHERE failed
)
SELECT
-- by: file
    name, error, part,
-- by: process program thread
    part, name, error,
-- by: all
    -- Remaining columns, from `failure`; order; remarks.
    count,
    calls,
    1.0 * count / calls AS rate
FROM failure
ORDER BY count DESC, name, error, part
LIMIT ifnull(:rows, -1);
-- remark
SELECT printf('%d of %s failed', sum(iif(failed, calls, 0)), counted(sum(calls), 'call{s}'))
FROM temp.tally_call
WHERE returned
HAVING sum(calls) > 0;
-- by: file
-- remark
SELECT printf('%d of %s of %s returned within 1 ms without an event', v.calls, counted(sum(t.calls), 'call{s}'), v.name)
FROM (SELECT n.text AS name, sum(f.calls) AS calls FROM temp.file_found AS f JOIN main.name AS n ON n.id = f.operation
    WHERE f.returned AND NOT f.failed AND call_wait(n.text) = 'event' GROUP BY 1) AS v
JOIN main.name AS n ON n.text = v.name
JOIN temp.tally_call AS t ON t.operation = n.id
WHERE t.returned
GROUP BY v.name
ORDER BY v.calls DESC, v.name;
-- by: all
-- remark
SELECT 'no error codes in the log'
WHERE EXISTS (SELECT 1 FROM temp.tally_call WHERE failed AND error = 0);
-- include: not-returned-remark
