-- report: waits
-- title: What threads wait for, by file
-- kinds: calls
-- needs: duration=call
-- needs: value=result
-- needs: object=file
-- when: by = file
-- tally: call
-- plot: waits
-- column: thread text
-- column: waits_for text
-- column: name text
-- column: file text
-- key: thread waits_for name file
-- include: waits-columns
WITH
-- include: call-waits
SELECT
    a.label AS thread,
    w.waits_for,
    w.name,
    w.file,
    sum(w.timed) AS calls,
    sum_time(w.total) AS total,
    max(w.most) AS max,
    sum_time(w.total) / nullif(1.0 * max(l.time), 0.0) AS share
FROM waiting AS w
JOIN temp.thread AS a ON a.id = w.actor
JOIN lived AS l ON l.actor = w.actor
WHERE w.waits_for IS NOT NULL AND w.total IS NOT NULL
GROUP BY w.actor, w.waits_for, w.name, w.file
ORDER BY total DESC, thread, w.waits_for, w.name, w.file
LIMIT ifnull(:rows, -1);
-- include: waits-remarks
