-- report: findings
-- title: records missing from the results
-- kinds: calls io spans samples results states
-- weight: weight calls
-- say: [{missing} of {records} records {are} not in the results][: {rejected} rejected][, {lost} lost during the recording][{gaps} of unknown length][{order} out of order][{halves}][{cut}]
-- look: show
-- why: The missing records may change every other figure.
-- unless: The missing records lie outside the time of interest.
-- source: tracetool's own choice; no published threshold is known.
-- parameter: not-told-share real 0.01 "share of the records that are rejected, lost or out of order, or of the I/Os or calls that lack an end"
-- column: fires int
-- column: value share
-- column: threshold share
-- column: missing int
-- column: records int
-- column: are text
-- column: rejected int
-- column: lost int
-- column: gaps text
-- column: order text
-- column: halves text
-- column: cut text
-- column: weight share
-- A log that lost records without a count still proves losses by requests with one end only.
-- Chrome writes a call when it ends, so an earlier begin is not an error. A gap with an unknown
-- number of lost records counts as one. A record that made two events counts once. Losses are of the
-- whole log, so their share is of all its records, also where the log became several traces.
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
cut AS (
    SELECT EXISTS (SELECT 1 FROM main.meaning AS m WHERE m.trace = s.trace AND m.what = 'no end') AS cut
    FROM temp.selection AS s
),
read AS (
    SELECT r.id = t.id AS own, r.events + r.merged + r.ignored + r.rejected - ifnull((SELECT sum(g.count)
        FROM main.ledger AS g WHERE g.trace = r.id AND g.outcome = 'split'), 0) AS records
    FROM temp.selection AS s
    CROSS JOIN main.trace AS t ON t.id = s.trace
    CROSS JOIN loss AS l
    JOIN main.trace AS r ON r.id = t.id OR (l.lost + l.uncounted > 0 AND r.log = t.log)
),
counted AS (
    SELECT t.rejected, l.lost, l.uncounted, b.earlier, t.rejected + l.lost AS missing,
        l.lost + (SELECT sum(records) FROM read) AS records, (SELECT records FROM read WHERE own) AS own
    FROM temp.selection AS s
    CROSS JOIN main.trace AS t ON t.id = s.trace
    CROSS JOIN loss AS l
    CROSS JOIN step AS b
),
half AS (
    SELECT t.kind = 'io' AS is_io, ifnull(sum(p."open"), 0) AS "open", ifnull(sum(p.unissued), 0) AS unissued,
        ifnull(sum(iif(t.kind = 'io', p.pairs + p."open" + p.unissued, p.issues)), 0) AS requests
    FROM temp.selection AS s
    CROSS JOIN main.trace AS t ON t.id = s.trace
    LEFT JOIN main.pairing AS p ON p.trace = s.trace AND p.proven + p.told > 0 AND p.completions > 0
),
judged AS (
    SELECT *, min(1.0, max(1.0 * (missing + uncounted + earlier) / records, ifnull(1.0 * (rejected + earlier) / own, 0),
        ifnull(1.0 * ("open" + unissued) / requests, 0))) AS value
    FROM counted, half WHERE records > 0
)
SELECT value >= :not_told_share OR c.cut AS fires, value, iif(c.cut, max(value, 0.01), value) AS weight,
    :not_told_share AS threshold,
    nullif(missing, 0) AS missing, records, iif(missing = 1, 'is', 'are') AS "are", nullif(rejected, 0) AS rejected, nullif(lost, 0) AS lost,
    iif(uncounted = 0, NULL, printf('%s%,d gap%s', iif(missing = 0, '', '; '), uncounted, iif(uncounted = 1, '', 's'))) AS gaps,
    iif(earlier = 0, NULL, printf('%s%,d of %,d records %s', iif(missing + uncounted = 0, '', '; '), earlier, records, iif(earlier = 1, 'is', 'are'))) AS "order",
    iif("open" + unissued = 0, NULL, printf(iif(is_io, '%s%,d I/Os: %,d without completion, %,d without issue',
        '%s%,d calls: %,d without end, %,d without begin'), iif(missing + uncounted + earlier = 0, '', '; '), requests, "open", unissued)) AS halves,
    iif(c.cut, iif(value = 0, '', '; ') || 'the log is cut off at its end', NULL) AS cut
FROM judged, cut AS c
