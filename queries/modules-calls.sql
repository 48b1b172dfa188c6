-- report: modules
-- question: How much time or how many calls fall on each module?
-- title: Calls by module
-- kinds: calls
-- formats: palmist
-- tally: known operation
-- plot: shares
-- column: module text - - the module, as the configuration or the names say
-- column: calls int - - how many calls
-- column: share share fraction - share of all
-- column: operations int - - how many different operations
-- column: bytes bytes bytes - how many bytes
-- compare: counts key=module value=calls
--
-- What the configuration groups is in its module, everything else in the part of the system that it
-- belongs to. Names of calls are not unique: their codes are.
WITH called AS (
    SELECT n.text AS name, n.code, sum(t.count) AS count, sum_time(t.bytes) AS bytes
    FROM temp.tally_operation AS t
    JOIN main.name AS n ON n.id = t.operation
    GROUP BY n.text, n.code
),
placed AS (
    SELECT
        called.*,
        ifnull(nullif(module_of(called.name), 'other'), ifnull(k.category, 'other')) AS module
    FROM called
    LEFT JOIN temp.known_operation AS k ON k.code = called.code
)
SELECT
    module,
    sum(count) AS calls,
    1.0 * sum(count) / sum(sum(count)) OVER () AS share,
    count(*) AS operations,
    sum_time(bytes) AS bytes
FROM placed
GROUP BY module
ORDER BY calls DESC, module
LIMIT ifnull(:top, -1);
