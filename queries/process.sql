-- report: process
-- title: I/Os by process
-- kinds: io
-- tally: process origin
-- plot: classes
-- column: process text
-- key: process
-- include: by-class-columns
WITH item AS (
    SELECT process AS name, class, count, bytes FROM temp.tally_process
),
-- include: by-class
-- include: origin-remark
