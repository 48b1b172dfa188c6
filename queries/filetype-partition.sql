-- report: filetype-partition
-- title: File types within partitions
-- kinds: io
-- tally: block
-- column: partition text
-- column: file_type text
-- key: partition file_type
-- order: count
-- column: count integer
-- column: share share fraction
-- meaning: share share of all of the partition
-- compare: counts value=count
-- fact: file-types report
--
-- The share is that within the partition.
WITH counted AS (
    SELECT partition, file_type, sum(count) AS count
    FROM temp.tally_block
    GROUP BY partition, file_type
    HAVING sum(count) > 0 -- else it has only bytes of I/Os that are counted with others
)
SELECT
    partition,
    file_type,
    count,
    1.0 * count / sum(count) OVER (PARTITION BY partition) AS share
FROM counted
ORDER BY partition, count DESC, file_type;
