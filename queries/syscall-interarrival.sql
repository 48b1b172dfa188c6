-- report: interarrival
-- question: How long is it from one arrival to the next?
-- fact: times report
-- kinds: calls
-- plot: ecdf
-- curves: 6
-- order: count
-- by: operation
-- title: Times between starts of calls, by call
-- when: by = operation by default
-- tally: arrival_operation
-- key: name
-- column: name text - - name in the log
-- by: none
-- title: Times between starts of calls
-- tally: arrival_call
-- key: group
-- column: group text - - all calls
-- by: all
-- include: percentiles-columns
-- include: curve-columns
-- column: part text if compare
-- compare: values group=part alone
--
-- Times between the starts of successive calls of the same name in a trace.
-- by: operation
SELECT
    d.name,
-- by: none
SELECT
    'all' AS "group",
-- by: all
    -- include: percentiles
    ,
    -- include: curve
    , d.name AS part
-- include: curve-from
ORDER BY d.count DESC, d.name, c.value
LIMIT ifnull(:rows, -1);
-- include: percentiles-remark
-- include: outlying-remark
