-- report: filetype-partition
-- question: Which types of files make the I/O of each partition?
-- title: File types within partitions
-- kinds: io
-- tally: block
-- key: partition file_type
-- fact: file-types report
-- part: share
-- when: share
-- meaning: bytes_share share of all bytes of the partition
-- part: main
-- order: count
-- compare: counts value=count
-- part: all
-- column: partition text - - the partition of the device
-- column: file_type text - - the type of the file, by its name
-- part: main
-- column: count int - - number of events, or of references, in the row
-- column: share share fraction - share of the partition
--
-- The share is relative to the partition.
-- part: share
-- include: by-class-columns
-- part: main
WITH counted AS (
    SELECT partition, file_type, sum(count) AS count
    FROM temp.tally_block
    GROUP BY partition, file_type
    HAVING sum(count) > 0 -- otherwise it only has bytes of I/Os that are counted with another file type
)
SELECT
    partition,
    file_type,
    count,
    1.0 * count / sum(count) OVER (PARTITION BY partition) AS share
FROM counted
ORDER BY partition, count DESC, file_type;
-- part: share
WITH item AS (
    SELECT partition AS container, file_type AS name, class, count, bytes FROM temp.tally_block
),
-- include: by-class-within
