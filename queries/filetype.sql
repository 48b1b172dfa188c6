-- report: filetype
-- question: How much I/O does each type of file get?
-- title: I/Os by file type
-- kinds: io
-- instead: files --by type
-- tally: file_type
-- plot: classes
-- plot: class-shares if share row column
-- column: file_type text - - the type of the file, by its name
-- key: file_type
-- include: by-class-columns
-- fact: file-types report
WITH item AS (
    SELECT file_type AS name, class, count, bytes FROM temp.tally_file_type
),
-- include: by-class
