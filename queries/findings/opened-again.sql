-- report: findings
-- title: opened again and again
-- kinds: calls
-- needs: object=file
-- fact: file-names report
-- tally: call_operation file_found
-- weight: weight calls
-- say: {file} was opened {opens} times, {value} of {all_opens} successful opens[; {failed} more {noun} of it failed]
-- look: report files --sort opens
-- why: Each open looks up the path and makes a new descriptor.
-- unless: New processes open the same files: libraries, configuration.
-- source: tracetool's own choice; no published threshold is known.
-- parameter: opened-again-opens integer 100 "opens of one file, above which it counts"
-- parameter: opened-again-share real 0.1 "share of all opens"
-- column: fires int
-- column: value share
-- column: threshold share
-- column: weight share
-- column: file path
-- column: opens int
-- column: all_opens int
-- column: failed int
-- column: noun text
WITH opened AS MATERIALIZED (
    SELECT o.name, sum(t.calls) AS calls, sum(t.failed) AS failed
    FROM (
        SELECT t.object, sum(iif(t.failed, 0, t.calls)) AS calls, sum(iif(t.failed, t.calls, 0)) AS failed
        FROM temp.file_found AS t
        WHERE t.returned AND t.operation IN (SELECT x.id FROM temp.selection AS s CROSS JOIN main.name AS x ON x.trace = s.trace
            WHERE call_does(x.text) = 'open')
        GROUP BY t.object
    ) AS t
    JOIN main.object AS o ON o.id = t.object
    WHERE o.name IS NOT NULL
    GROUP BY o.name
    HAVING sum(t.calls) > 0
),
total AS (
    SELECT sum(calls) AS calls FROM opened
)
SELECT o.calls > :opened_again_opens AND 1.0 * o.calls / t.calls > :opened_again_share AS fires,
    1.0 * o.calls / t.calls AS value, :opened_again_share AS threshold,
    1.0 * o.calls / (SELECT sum(calls) FROM temp.tally_call) AS weight, o.name AS file, o.calls AS opens,
    t.calls AS all_opens, nullif(o.failed, 0) AS failed, iif(o.failed = 1, 'open', 'opens') AS noun
FROM opened AS o, total AS t
ORDER BY o.calls DESC, o.name
LIMIT 1
