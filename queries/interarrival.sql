-- report: interarrival
-- question: How long is it from one arrival to the next?
-- fact: times report
-- kinds: io
-- plot: ecdf
-- curves: 6
-- by: class
-- title: Times between arrivals, by class
-- when: by = class by default
-- tally: arrival_class
-- key: class
-- column: class text - - read or write, synchronous (readsync, writesync) or not, flush, or other
-- by: none
-- title: Times between arrivals
-- tally: arrival
-- key: group
-- column: group text - - all I/Os
-- by: all
-- include: percentiles-columns
-- include: curve-columns
-- column: part text if compare
-- compare: values group=part alone
--
-- Times between successive I/Os of the same class in a trace. Arrivals are queue events (Q). If
-- fewer than half of the I/Os have one, they are issues (D), else completions.
-- by: class
WITH
-- include: classes
SELECT
    class.name,
-- by: none
SELECT
    'all' AS "group",
-- by: all
    -- include: percentiles
    ,
    -- include: curve
    , d.name AS part
-- include: curve-from
-- by: class
JOIN class ON class.number = CAST(d.name AS INTEGER)
ORDER BY class.place, c.value;
-- by: none
ORDER BY c.value;
-- by: all
-- include: percentiles-remark
-- remark definition
SELECT 'arrivals: ' || group_concat(what, ', ')
FROM (
    SELECT DISTINCT CASE n.text WHEN 'Q' THEN 'queued (Q)' WHEN 'D' THEN 'issued (D)' WHEN 'C' THEN 'completed (C)'
        ELSE 'action ' || n.text END AS what
    FROM temp.arrival AS a
    JOIN main.name AS n ON n.id = a.action
    ORDER BY 1
)
HAVING count(*) > 0;
-- include: outlying-remark
