-- report: waits
-- question: What do threads wait for?
-- title: Times of calls that wait
-- when: cdf
-- kinds: calls
-- needs: duration=call
-- needs: value=result
-- tally: call_wait_times
-- plot: ecdf
-- curves: 6
-- order: count
-- key: waits_for
-- column: waits_for text - - what the call waits for, and what it is called in the log
-- include: percentiles-columns
-- include: curve-columns
--
-- Calls that wait, and what for, are those of waits.sql.
SELECT
    d.name AS waits_for,
    -- include: percentiles
    ,
    -- include: curve
-- include: curve-from
ORDER BY d.count DESC, d.name, c.value
LIMIT ifnull(:rows, -1);
