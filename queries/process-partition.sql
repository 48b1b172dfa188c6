-- report: process-partition
-- question: Which processes cause the I/O of each partition?
-- title: Processes within partitions
-- kinds: io
-- tally: place origin
-- plot: filetype-partition
-- column: partition text - - the partition of the device
-- column: process text - - the process
-- key: partition process
-- include: by-class-columns
-- meaning: share share of the partition
-- meaning: bytes_share share of all bytes of the partition
-- fact: processes report
WITH
-- include: place
, item AS (
    SELECT partition AS container, process AS name, class, count, bytes FROM place
),
-- include: by-class-within
-- include: origin-remark
