-- report: loggable
-- question: Which system calls can a tracer not log, and why?
-- kinds: calls
-- formats: palmist
-- tally: known operation
-- plot: shares
-- part: reason
-- title: System calls that cannot be logged, and why
-- when: of = reason
-- compare: counts key=reason value=operations
-- column: reason text - - why a call could be logged, or could not
-- part: parameters
-- title: System calls that can be logged, by number of parameters
-- when: of = parameters by default
-- compare: counts key=parameters value=operations
-- column: parameters text - - number of parameters
-- part: all
-- column: operations int - - number of distinct operations
-- column: share share fraction - share of all
-- part: parameters
-- column: returning_nothing int - - operations that return nothing
-- column: seen int - - number of these operations that occur in the log
--
-- Table 3.1 of the thesis: loggable system calls by number of parameters, and those without a
-- return value.
-- part: reason
-- column: seen int - - number of these operations that occur in the log
--
-- Of all system calls of Palm OS. Calls in the log count as logged, even if the configuration
-- describes another logger.
-- part: all
-- All operations, whether they can be logged, and whether they were seen: `known` (format, code,
-- name, category, parameters, returns, unlogged, loggable, seen). Uses the tallies `known` and
-- `operation`.
WITH known AS MATERIALIZED (
    SELECT
        k.*,
        EXISTS (SELECT 1 FROM temp.loggable_operation AS l WHERE l.code = k.code) AS loggable,
        k.code IN (
            SELECT n.code FROM temp.tally_operation AS t
            JOIN main.name AS n ON n.id = t.operation
            WHERE n.code IS NOT NULL
        ) AS seen
    FROM temp.known_operation AS k
)
SELECT
-- part: parameters
    ifnull(parameters, 'not known') AS parameters,
    count(*) AS operations,
    1.0 * count(*) / sum(count(*)) OVER () AS share,
    CASE WHEN known.parameters IS NOT NULL THEN sum(NOT returns) END AS returning_nothing,
    sum(seen) AS seen
FROM known
WHERE loggable
GROUP BY known.parameters
ORDER BY known.parameters IS NULL, known.parameters
LIMIT ifnull(:top, -1);
-- remark
SELECT 'loggable: ' || count(DISTINCT code)
    || iif(min(by_default), ' (default set)', '')
    || '; parameters are counted as Palm OS declares them, without variable arguments'
FROM temp.loggable_operation;
-- remark excluded
SELECT 'excluded, unknown system calls: ' || count(DISTINCT l.code)
FROM temp.loggable_operation AS l
WHERE l.code NOT IN (SELECT code FROM temp.known_operation)
HAVING count(*) > 0;
-- part: reason
    unlogged AS reason,
    count(*) AS operations,
    1.0 * count(*) / sum(count(*)) OVER () AS share,
    sum(seen) AS seen
FROM known
WHERE NOT loggable
GROUP BY unlogged
ORDER BY operations DESC, reason
LIMIT ifnull(:top, -1);
-- remark definition
SELECT 'reason: from not_logged in the configuration, else from what tracetool knows of the call';
