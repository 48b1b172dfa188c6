-- report: evidence
-- question: How certain are the files that I/Os are mapped to?
-- title: Evidence for the files of I/Os
-- kinds: io
-- tally: evidence
-- plot: none
-- column: evidence text - - evidence for the file and the class of the block
-- column: block_class text - - what the block holds in the file system: data, the journal, a directory and so on
-- key: evidence block_class
-- order: count
-- column: count int - - number of events, or of references, in the row
-- column: share share fraction - share of all
-- column: bytes bytes bytes - number of bytes
-- column: bytes_share share fraction - share of all bytes
--
-- Only traces mapped by `tracetool map`, and only I/Os that a map was asked about.
WITH counted AS (
    SELECT
        io_evidence(map) AS evidence,
        io_block_class(map) AS block_class,
        sum(count) AS count,
        sum_time(bytes) AS bytes
    FROM temp.tally_evidence
    WHERE io_evidence(map) <> 'unasked'
    GROUP BY 1, 2
)
SELECT
    evidence,
    block_class,
    count,
    1.0 * count / sum(count) OVER () AS share,
    bytes,
    1.0 * bytes / nullif(total(bytes) OVER (), 0) AS bytes_share
FROM counted
ORDER BY count DESC, evidence, block_class;
-- remark
SELECT 'no files found by block: `tracetool map TRACE --image FILE` finds them'
WHERE NOT EXISTS (
    SELECT 1 FROM temp.selection AS s CROSS JOIN main.map AS m ON m.trace = s.trace
);
