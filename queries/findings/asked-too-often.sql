-- report: findings
-- title: calls repeated because there was nothing to do
-- kinds: calls
-- needs: value=result
-- tally: call_operation file_found
-- weight: weight calls
-- say: {failed} of {calls} {noun} of {name} {how}[, most often on {file}]
-- look: report errors
-- why: The call was made before there was anything to do, and must be repeated.
-- unless: A loop reads until nothing is left, so the last call of each round fails.
-- source: tracetool's own choice; no published threshold is known.
-- parameter: asked-too-often-share real 0.25 "share of a call's results"
-- parameter: asked-too-often-calls integer 100 "least number of calls in vain"
-- column: fires int
-- column: value share
-- column: threshold share
-- column: weight share
-- column: failed int
-- column: calls int
-- column: noun text
-- column: name text
-- column: how text
-- column: file path
-- column: look text
-- Chooses the call that fires with most calls in vain, else the one with the largest share. In vain
-- are errors, and a poll, select or epoll_wait that returned within a millisecond without an event;
-- in `maybe`, such calls whose time is not known.
WITH vain AS MATERIALIZED (
    SELECT n.text AS name, t.object, t.calls, ifnull('failed with ' || e.text, 'returned at once without an event') AS how
    FROM temp.file_found AS t
    JOIN main.name AS n ON n.id = t.operation
    LEFT JOIN main.name AS e ON e.id = t.error
    WHERE t.returned AND (e.text IN ('EAGAIN', 'EWOULDBLOCK', 'EINTR') OR (NOT t.failed AND call_wait(n.text) = 'event'))
        AND n.text NOT IN ('rt_sigreturn', 'sigreturn') -- they show the result of the interrupted call again
),
by_name AS (
    SELECT n.text AS name, sum(t.calls) AS calls, ifnull(max(v.calls), 0) AS failed, ifnull(max(m.calls), 0) AS maybe
    FROM temp.tally_call AS t
    JOIN main.name AS n ON n.id = t.operation
    LEFT JOIN (SELECT name, sum(calls) AS calls FROM vain GROUP BY name) AS v ON v.name = n.text
    LEFT JOIN (SELECT operation, sum(calls) AS calls FROM temp.file_found WHERE NOT returned GROUP BY operation) AS m
        ON m.operation = n.id
    WHERE t.returned
    GROUP BY n.text
),
judged AS MATERIALIZED (
    SELECT *, 1.0 * failed / calls AS value,
        iif(1.0 * failed / calls > :asked_too_often_share AND failed >= :asked_too_often_calls, 1,
            iif(1.0 * (failed + maybe) / calls > :asked_too_often_share AND failed + maybe >= :asked_too_often_calls, NULL, 0)) AS fires
    FROM by_name
    ORDER BY ifnull(fires, 0.5) DESC, iif(fires, failed, value) DESC, name
    LIMIT 1
),
how AS (
    SELECT replace(group_concat(how, ' or '), 'or failed with', 'or') AS how
    FROM (SELECT v.how FROM vain AS v, judged AS j WHERE v.name = j.name
        GROUP BY v.how ORDER BY sum(v.calls) DESC, v.how)
),
file AS (
    SELECT o.name
    FROM vain AS v, judged AS j
    JOIN main.object AS o ON o.id = v.object
    WHERE v.name = j.name AND o.name IS NOT NULL
    GROUP BY o.name
    ORDER BY sum(v.calls) DESC, o.name
    LIMIT 1
)
SELECT j.fires, iif(j.fires IS NULL, NULL, j.value) AS value, :asked_too_often_share AS threshold,
    1.0 * j.failed / (SELECT sum(calls) FROM temp.tally_call) AS weight,
    iif(j.fires IS NULL, NULL, j.failed) AS failed, j.calls, iif(j.calls = 1, 'call', 'calls') AS noun, j.name, h.how,
    (SELECT name FROM file) AS file,
    iif(call_wait(j.name) = 'event' AND h.how NOT LIKE 'failed%', 'report errors --op ' || j.name, NULL) AS look
FROM judged AS j, how AS h
