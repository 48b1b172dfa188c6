-- report: findings
-- title: asked too often
-- kinds: calls
-- needs: value=result
-- tally: call
-- weight: weight calls
-- say: {failed} of {calls} calls of {name} failed with {errors}[, most on {file}]
-- look: report errors
-- why: The call came before there was something to do, and has to be made again.
-- unless: A loop reads until nothing is left: one call in each round fails.
-- source: tracetool's own choice; no published threshold is known.
-- parameter: asked-too-often-share real 0.25 "share of a call's results"
-- parameter: asked-too-often-calls integer 100 "that many failed calls at least"
-- column: fires int
-- column: value share
-- column: threshold share
-- column: weight share
-- column: failed int
-- column: calls int
-- column: name text
-- column: errors text
-- column: file path
-- Of the calls that fire, the one with most failures; else the one with the largest share.
WITH item AS MATERIALIZED (
    SELECT n.text AS name, t.object, e.text AS error, t.calls,
        ifnull(e.text IN ('EAGAIN', 'EWOULDBLOCK', 'EINTR'), 0) AS in_vain
    FROM temp.tally_call AS t
    JOIN main.name AS n ON n.id = t.operation
    LEFT JOIN main.name AS e ON e.id = t.error
    WHERE t.returned
),
by_name AS (
    SELECT name, sum(calls) AS calls, sum(iif(in_vain, calls, 0)) AS failed
    FROM item
    GROUP BY name
),
judged AS (
    SELECT *, 1.0 * failed / calls AS value,
        1.0 * failed / calls > :asked_too_often_share AND failed >= :asked_too_often_calls AS fires
    FROM by_name
    ORDER BY fires DESC, iif(fires, failed, value) DESC, name
    LIMIT 1
),
error AS (
    SELECT group_concat(error, ' and ') AS errors
    FROM (SELECT i.error FROM item AS i, judged AS j WHERE i.name = j.name AND i.in_vain
        GROUP BY i.error ORDER BY sum(i.calls) DESC, i.error)
),
file AS (
    SELECT o.name
    FROM item AS i, judged AS j
    JOIN main.object AS o ON o.id = i.object
    WHERE i.name = j.name AND i.in_vain AND o.name IS NOT NULL
    GROUP BY o.name
    ORDER BY sum(i.calls) DESC, o.name
    LIMIT 1
)
SELECT j.fires, j.value, :asked_too_often_share AS threshold,
    1.0 * j.failed / (SELECT sum(calls) FROM temp.tally_call) AS weight, j.failed, j.calls, j.name, e.errors,
    (SELECT name FROM file) AS file
FROM judged AS j, error AS e
