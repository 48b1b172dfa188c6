-- report: filetype-partition
-- title: File types within partitions
-- kinds: io
-- when: share
-- tally: block
-- column: partition text
-- column: file_type text
-- key: partition file_type
-- include: by-class-columns
-- meaning: share share of all of the partition
-- meaning: bytes_share share of all bytes of the partition
-- fact: file-types report
WITH item AS (
    SELECT partition AS container, file_type AS name, class, count, bytes FROM temp.tally_block
),
-- include: by-class-within
