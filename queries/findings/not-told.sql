-- report: findings
-- title: what the log does not tell
-- kinds: calls io spans samples results states
-- weight: value calls
-- say: {missing} of {records} records are not in the results[: {rejected} rejected][, {lost} lost as the log was written][; {uncounted} {gaps} of unknown length][; {earlier} begin before the one in front of them]
-- look: show
-- why: The missing records may change every other figure.
-- unless: The missing records lie outside the time of interest.
-- source: tracetool's own choice; no published threshold is known.
-- parameter: not-told-share real 0.01 "share of the records, with those out of order"
-- column: fires int
-- column: value share
-- column: threshold share
-- column: missing int
-- column: records int
-- column: rejected int
-- column: lost int
-- column: uncounted int
-- column: earlier int
-- column: gaps text
-- Chrome writes a call when it ends, so an earlier begin is not an error. A gap with an unknown
-- number of lost records counts as one.
WITH loss AS (
    SELECT ifnull(sum(l.lost), 0) AS lost, ifnull(sum(l.uncounted), 0) AS uncounted
    FROM temp.selection AS s
    CROSS JOIN main.loss AS l ON l.trace = s.trace
),
step AS (
    SELECT ifnull(sum(g.count), 0) AS earlier
    FROM temp.selection AS s
    CROSS JOIN main.trace AS t ON t.id = s.trace AND t.format <> 'chrome'
    CROSS JOIN main.ledger AS g ON g.trace = s.trace AND g.outcome = 'earlier'
),
counted AS (
    SELECT t.rejected, l.lost, l.uncounted, b.earlier, t.rejected + l.lost AS missing,
        t.events + t.merged + t.ignored + t.rejected + l.lost AS records
    FROM temp.selection AS s
    CROSS JOIN main.trace AS t ON t.id = s.trace
    CROSS JOIN loss AS l
    CROSS JOIN step AS b
),
judged AS (
    SELECT *, min(1.0, 1.0 * (missing + uncounted + earlier) / records) AS value FROM counted WHERE records > 0
)
SELECT value >= :not_told_share AS fires, value,
    :not_told_share AS threshold, missing, records, nullif(rejected, 0) AS rejected, nullif(lost, 0) AS lost,
    nullif(uncounted, 0) AS uncounted, nullif(earlier, 0) AS earlier, iif(uncounted = 1, 'gap', 'gaps') AS gaps
FROM judged
