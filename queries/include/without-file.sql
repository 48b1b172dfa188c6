-- remark
-- Of a report on files, out of temp.tally_object.
WITH counted AS (
    SELECT sum(t.count) AS count, sum(t.count) FILTER (WHERE o.name IS NULL) AS without
    FROM temp.tally_object AS t
    LEFT JOIN main.object AS o ON o.id = t.object
)
SELECT without || ' of ' || count || ' events have no file and are left out; shares are of the rest'
FROM counted
WHERE without > 0;
