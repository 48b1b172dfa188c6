-- report: partition
-- title: I/Os by partition
-- kinds: io
-- tally: block
-- plot: classes
-- column: partition text
-- include: by-class-columns
WITH item AS (
    SELECT partition AS name, class, count, bytes FROM temp.tally_block
),
-- include: by-class
-- remark
SELECT 'no partitions are configured: every I/O is unmapped'
WHERE NOT EXISTS (
    SELECT 1 FROM main.partition AS p JOIN temp.selection AS s ON s.trace = p.trace
);
