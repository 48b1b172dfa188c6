-- report: findings
-- title: what the log does not tell
-- kinds: calls io spans samples results states
-- weight: value calls
-- say: {missing} of {records} records are not in the results[: {rejected} rejected][, {lost} lost as the log was written]
-- look: show
-- why: Every other figure may be off by what is missing.
-- unless: What is missing lies outside the time that matters.
-- source: tracetool's own choice; no published threshold is known.
-- parameter: not-told-share real 0.01 "share of the records"
-- column: fires int
-- column: value share
-- column: threshold share
-- column: missing int
-- column: records int
-- column: rejected int
-- column: lost int
WITH loss AS (
    SELECT ifnull(sum(l.lost), 0) AS lost
    FROM temp.selection AS s
    JOIN main.loss AS l ON l.trace = s.trace
),
counted AS (
    SELECT t.rejected, l.lost, t.rejected + l.lost AS missing,
        t.events + t.merged + t.ignored + t.rejected + l.lost AS records
    FROM temp.selection AS s
    JOIN main.trace AS t ON t.id = s.trace
    CROSS JOIN loss AS l
)
SELECT 1.0 * missing / records >= :not_told_share AS fires, 1.0 * missing / records AS value,
    :not_told_share AS threshold, missing, records, nullif(rejected, 0) AS rejected, nullif(lost, 0) AS lost
FROM counted
WHERE records > 0
