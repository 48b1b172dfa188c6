-- report: process
-- title: I/Os by the process that dispatched them
-- kinds: io
-- needs: issuer=process
-- when: by = issuer
-- options: by-pid
-- tally: issuer origin
-- plot: classes
-- plot: class-shares if share row column
-- column: process text
-- key: process
-- include: by-class-columns
WITH item AS (
    SELECT
        ifnull(a.name, '') || iif(a.pid IS NULL OR :by_pid IS NULL, '', ' (' || a.pid || ')')
            AS name,
        t.class, t.count, t.bytes
    FROM temp.tally_issuer AS t
    LEFT JOIN main.actor AS a ON a.id = t.actor
),
-- include: by-class
-- remark
SELECT printf('nobody was seen dispatching %d I/Os: they count for who asked for them', sum(count))
FROM temp.tally_origin
WHERE io_flag(origin, 'unissued')
HAVING sum(count) > 0;
