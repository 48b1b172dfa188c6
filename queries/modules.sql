-- report: modules
-- question: How much time or how many calls fall on each module?
-- part: calls
-- title: Calls by module
-- kinds: calls
-- formats: palmist
-- tally: known operation
-- plot: shares
-- column: module text - - the module, from the configuration or the names
-- column: calls int - - number of calls
-- column: share share fraction - share of all
-- column: operations int - - number of distinct operations
-- column: bytes bytes bytes - number of bytes
-- compare: counts key=module value=calls
--
-- Calls grouped by the configuration are in their module, all others in their part of the system.
-- Calls are identified by code, because names are not unique.
-- part: main
-- title: Self time by module
-- kinds: spans
-- options: corrected measured
-- times: corrected
-- tally: span depth
-- column: module text - - the module, from the configuration or the names
-- key: module
-- order: time
-- column: time duration ns - total time
-- column: share share fraction - share of all
-- compare: times time=time
--
-- Modules are groups of name prefixes in the configuration; unmatched names are in `other`.
-- part: calls
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
    LEFT JOIN temp.known_operation AS k ON k.code = +called.code
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
-- part: main
WITH counted AS (
    SELECT module_of(n.text) AS module, sum_time(t.self) AS time
    FROM temp.tally_span AS t
    JOIN main.name AS n ON n.id = t.operation
    GROUP BY 1
)
SELECT module, time, time / nullif(total(time) OVER (), 0.0) AS share
FROM counted
WHERE time > 0
ORDER BY time DESC, module
LIMIT ifnull(:rows, -1);
-- remark
SELECT 'no function belongs to a module of the configuration' WHERE NOT EXISTS (
    SELECT 1 FROM temp.tally_span AS t
    JOIN main.name AS n ON n.id = t.operation
    WHERE module_of(n.text) <> 'other'
);
-- remark loss
SELECT text FROM temp.span_remark;
-- include: open-share
