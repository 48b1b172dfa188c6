-- report: filetype
-- title: I/Os by file type
-- kinds: io
-- tally: block
-- plot: classes
-- column: file_type text
-- key: file_type
-- include: by-class-columns
WITH item AS (
    SELECT file_type AS name, class, count, bytes FROM temp.tally_block
),
-- include: by-class
