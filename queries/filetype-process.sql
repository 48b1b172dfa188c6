-- report: filetype-process
-- question: Which types of files does each process read and write?
-- title: File types within processes
-- kinds: io
-- tally: place origin
-- plot: filetype-partition
-- column: process text - - the process
-- column: file_type text - - the type of the file, by its name
-- key: process file_type
-- include: by-class-columns
-- meaning: share share of the process
-- meaning: bytes_share share of all bytes of the process
-- fact: file-types report
-- fact: processes report
WITH
-- include: place
, item AS (
    SELECT process AS container, file_type AS name, class, count, bytes FROM place
),
-- include: by-class-within
-- include: origin-remark
