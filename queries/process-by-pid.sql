-- report: process
-- title: I/Os by process and pid
-- kinds: io
-- when: by-pid
-- tally: actor origin
-- plot: classes
-- plot: class-shares if share row column
-- column: process text
-- key: process
-- include: by-class-columns
-- fact: processes report
WITH item AS (
    SELECT ifnull(a.name, '') || iif(a.pid IS NULL, '', ' (' || a.pid || ')') AS name,
        t.class, t.count, t.bytes
    FROM temp.tally_actor AS t
    LEFT JOIN main.actor AS a ON a.id = t.actor
),
-- include: by-class
-- include: origin-remark
