-- report: process
-- title: I/Os by process
-- kinds: io
-- instead: files --by process
-- instead: popularity --of process
-- instead: popularity --of application
-- tally: process origin
-- plot: classes
-- plot: class-shares if share row column
-- column: process text
-- key: process
-- include: by-class-columns
-- fact: processes report
WITH item AS (
    SELECT process AS name, class, count, bytes FROM temp.tally_process
),
-- include: by-class
-- include: origin-remark
