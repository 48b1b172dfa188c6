-- report: modules
-- question: How much time or how many calls fall on each module?
-- title: Self time by module
-- kinds: spans
-- options: corrected measured
-- times: corrected
-- tally: span depth
-- column: module text - - the module, as the configuration or the names say
-- key: module
-- order: time
-- column: time duration ns - how long, all together
-- column: share share fraction - share of all
-- compare: times time=time
--
-- Modules are groups of name prefixes of the configuration; what fits none is `other`.
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
