-- report: findings
-- title: one function takes most of the time
-- kinds: spans
-- tally: span
-- weight: value time
-- say: {name} took {self}, {value} of the time in all functions[, in {calls} {noun}]
-- look: report functions
-- why: An improvement elsewhere gains little in comparison.
-- unless: The function is where a thread waits for work.
-- source: tracetool's own choice; no published threshold is known.
-- parameter: one-function-share real 0.3 "share of the self times of all"
-- column: fires int
-- column: value share
-- column: threshold share
-- column: name text
-- column: self duration
-- column: calls int
-- column: noun text
-- Functions that wait, and those that begin and end the trace or the program, are counted but not
-- named. NULL if the log has no times. Samples are not calls.
WITH item AS (
    SELECT n.text AS name, sum_time(t.self) AS self, sum(t.calls) AS calls
    FROM temp.tally_span AS t
    JOIN main.name AS n ON n.id = t.operation
    GROUP BY n.text
),
total AS (
    SELECT sum_time(self) AS self FROM item
)
SELECT 1.0 * i.self / nullif(t.self, 0) > :one_function_share AS fires, 1.0 * i.self / nullif(t.self, 0) AS value,
    :one_function_share AS threshold, i.name, i.self,
    iif((SELECT m.clock_unit FROM temp.selection AS s JOIN main.trace AS m ON m.id = s.trace) = 'samples', NULL, i.calls) AS calls,
    iif(i.calls = 1, 'call', 'calls') AS noun
FROM item AS i, total AS t
WHERE i.name <> '__libc_start_main' AND i.name NOT GLOB '*MethodTracing*' AND i.name NOT GLOB '*Object.wait*' AND i.name NOT GLOB '*Thread.sleep*'
    AND i.name NOT GLOB '*.nativePollOnce*' AND i.name NOT GLOB '*Unsafe.park*' AND i.name NOT GLOB '*nanosleep' AND i.name NOT GLOB 'schedule*'
ORDER BY i.self DESC, i.name
LIMIT 1
