-- report: partition
-- question: How much I/O does each partition get?
-- title: I/Os by partition
-- kinds: io
-- tally: block
-- plot: classes
-- plot: class-shares if share row column
-- column: partition text - - the partition of the device
-- key: partition
-- include: by-class-columns
WITH item AS (
    SELECT partition AS name, class, count, bytes FROM temp.tally_block
),
-- include: by-class
-- remark
SELECT 'no partitions configured: every I/O is unmapped'
WHERE NOT EXISTS (
    SELECT 1 FROM temp.selection AS s CROSS JOIN main.partition AS p ON p.trace = s.trace
);
