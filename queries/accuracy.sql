-- report: accuracy
-- question: How far are mean times from those of a reference?
-- title: Mean times against a reference
-- kinds: spans
-- options: reference corrected measured
-- times: corrected
-- clocks: first real
-- needs: reference
-- tally: span depth
-- window: begun
-- column: name text - - name in the log
-- column: reference duration ns - reference time
-- column: measured duration ns - measured time
-- column: error share fraction less difference between measured and reference time, as a share of the reference
-- column: trace text - if several - the trace
-- column: ratio real - if several - multiple of the reference, or of the level below
--
-- Rows are in the order of the reference file. `ratio` is the error divided by that of the trace
-- with the least mean error.
WITH
    -- include: reference-errors
SELECT
    e.name,
    e.time,
    CAST(round(e.mean) AS INTEGER),
    e.error,
    t.name,
    e.error / nullif(b.error, 0)
FROM errors AS e
CROSS JOIN main.trace AS t ON t.id = e.trace
LEFT JOIN least AS b ON b.place = e.place
ORDER BY e.place, e.trace
LIMIT ifnull(:top, -1);
-- remark
WITH
    -- include: reference-errors
SELECT
    'mean error '
    || iif((SELECT count(*) FROM temp.selection) > 1, 'of ' || t.name || ' ', '')
    || printf('%.6f', avg(e.error))
FROM errors AS e
CROSS JOIN main.trace AS t ON t.id = e.trace
GROUP BY e.trace
HAVING count(e.error) > 0;
-- remark
WITH
    -- include: reference-errors
SELECT
    'mean error of ' || t.name || ': ' || printf('%.2f', avg(e.error) / nullif(avg(b.error), 0))
    || ' times that of ' || (SELECT name FROM main.trace WHERE id = b.trace)
    || '; functions measured in both: ' || count(*)
FROM errors AS e
CROSS JOIN main.trace AS t ON t.id = e.trace
CROSS JOIN least AS b ON b.place = e.place
WHERE e.trace <> b.trace AND e.error NOT NULL AND b.error NOT NULL
GROUP BY e.trace
HAVING avg(b.error) > 0;
-- remark
WITH
    -- include: reference-errors
SELECT
    iif((SELECT count(*) FROM temp.selection) > 1, 'trace ' || t.name || ': ', '')
    || 'reference ' || e.name || ' has no call with a duration'
FROM errors AS e
CROSS JOIN main.trace AS t ON t.id = e.trace
WHERE e.mean IS NULL
ORDER BY e.trace, e.place;
-- remark loss
SELECT text FROM temp.span_remark;
