-- remark excluded
-- For reports on returned calls. Uses temp.tally_call.
WITH pending AS (
    SELECT n.text AS name, sum(t.calls) AS calls
    FROM temp.tally_call AS t
    JOIN main.name AS n ON n.id = t.operation
    WHERE NOT t.returned
    GROUP BY n.text
    ORDER BY 2 DESC, 1
)
SELECT printf('excluded: %s that did not return in the log (%s%s)', counted(sum(calls), 'call{s}'),
    (SELECT group_concat(name || ' ' || calls, ', ') FROM (SELECT * FROM pending LIMIT 8)),
    iif(count(*) > 8, ', …', ''))
FROM pending
HAVING sum(calls) > 0;
-- include: unpaired-calls
