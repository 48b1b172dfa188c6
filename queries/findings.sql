-- report: findings
-- question: What stands out, and which report shows it?
-- title: What stands out
-- part: calls
-- kinds: calls
-- part: io
-- kinds: io
-- part: spans
-- kinds: spans
-- part: samples
-- kinds: samples
-- part: results
-- kinds: results
-- part: states
-- kinds: states
-- part: all
-- traces: apart
-- plot: none
-- key: name
-- order: weight
-- worth: name weight sentence command value threshold
-- blank: sentence
-- compare: rows value=weight alone
-- column: name text - - the finding
-- column: weight share fraction less importance: share of the log's time, bytes or calls
-- column: sentence text - - the finding as a sentence, with its numbers
-- column: command text - - the command that shows the evidence
-- column: threshold any - - value beyond which the finding fires
-- column: value any - - value that is compared with the threshold
-- column: of text if all - the whole of which the weight is a share: time, bytes or calls
-- column: fired int if all - 1: the finding fired, and its weight is at least 1 %; blank: the log cannot tell
-- column: why text if all - what the finding means
-- column: unless text if all - case in which the finding is no fault
-- column: source text if all - source of the threshold
-- findings: header
--
-- Row per finding that fired. With --all, also findings that did not fire, and those that the log
-- cannot answer. The comparison of two logs asks with --all for what fired and these, which have no weight then.
WITH found (name, fires, weight, of, sentence, look, threshold, value, kind, clock_unit, why, "unless", source) AS (
SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL WHERE 0
-- findings: rows
)
SELECT name, iif(:compare AND :all AND fires IS NULL, NULL, weight) AS weight, sentence, 'tracetool ' || look AS command,
    iif(:people, people(threshold, kind, clock_unit), threshold) AS threshold,
    iif(:people, people(value, kind, clock_unit), value) AS value,
    of, iif(fires IS NULL, NULL, fires AND ifnull(weight >= 0.01, 0)) AS fired, why, "unless", source
FROM found
WHERE :all AND (fires IS NULL OR :compare IS NULL) OR (fires AND weight >= 0.01)
ORDER BY fired DESC, CASE of WHEN 'time' THEN 0 WHEN 'bytes' THEN 1 ELSE 2 END, weight DESC, name
LIMIT ifnull(:rows, -1);
