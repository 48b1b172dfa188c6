-- report: blocktype
-- question: How much I/O is data, metadata or journal?
-- title: I/Os by block type
-- kinds: io
-- tally: block
-- plot: classes
-- plot: class-shares if share row column
-- column: block_type text - - data, metadata or journal, from the log
-- key: block_type
-- include: by-class-columns
-- fact: block-types report
WITH item AS (
    SELECT io_block_type_name(block_type) AS name, class, count, bytes FROM temp.tally_block
),
-- include: by-class
