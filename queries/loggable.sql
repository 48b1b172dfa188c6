-- report: loggable
-- title: System calls that can be logged, by number of parameters
-- kinds: calls
-- formats: palmist
-- when: of = parameters by default
-- tally: known operation
-- plot: shares
-- column: parameters text
-- column: operations integer
-- column: share share fraction
-- column: returning_nothing integer
-- column: seen integer
-- compare: counts key=parameters value=operations
--
-- The thesis's table 3.1: how many of the system calls that can be logged have so many parameters,
-- and how many return nothing.
-- include: known-operations
SELECT
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
SELECT 'of ' || count(DISTINCT code) || ' that can be logged'
    || iif(min(by_default), ' (default set)', '')
    || '; parameters as Palm OS declares them, variable arguments not counted'
FROM temp.loggable_operation;
-- remark
SELECT count(DISTINCT l.code) || ' of them are no system calls that are known, and in no row'
FROM temp.loggable_operation AS l
WHERE l.code NOT IN (SELECT code FROM temp.known_operation)
HAVING count(*) > 0;
