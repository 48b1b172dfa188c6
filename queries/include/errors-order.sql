    -- The columns of errors-columns.sql, out of `failure`, their order, and what is to be known.
    count,
    calls,
    1.0 * count / calls AS rate
FROM failure
ORDER BY count DESC, name, error, part
LIMIT ifnull(:rows, -1);
-- remark
SELECT printf('%d of %d calls failed', sum(iif(failed, calls, 0)), sum(calls))
FROM temp.tally_call
WHERE returned
HAVING sum(calls) > 0;
-- remark
SELECT 'the log does not say what calls failed with'
WHERE EXISTS (SELECT 1 FROM temp.tally_call WHERE failed AND error = 0);
-- include: not-returned-remark
