-- report: loggable
-- title: System calls that cannot be logged, and why
-- kinds: calls
-- formats: palmist
-- when: of = reason
-- tally: known operation
-- plot: shares
-- column: reason text
-- column: operations integer
-- column: share share fraction
-- column: seen integer
-- compare: counts key=reason value=operations
--
-- Of all that Palm OS has. Those that were seen are logged by another logger than the configuration
-- speaks of.
-- include: known-operations
SELECT
    unlogged AS reason,
    count(*) AS operations,
    1.0 * count(*) / sum(count(*)) OVER () AS share,
    sum(seen) AS seen
FROM known
WHERE NOT loggable
GROUP BY unlogged
ORDER BY operations DESC, reason
LIMIT ifnull(:top, -1);
-- remark
SELECT 'reasons: those of not_logged in the configuration; for others, what is known of the call';
