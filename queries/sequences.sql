-- report: sequences
-- question: Which operations follow one another?
-- title: Sequences of operations
-- kinds: calls
-- options: length
-- tally: sequence
-- column: rank number - - rank by count; 1 is the most frequent
-- column: sequence text - - the operations, in order
-- column: count int - - number of events, or of references, in the row
-- column: share share fraction - share of all
-- compare: counts key=sequence value=count
--
-- Frequencies of sequences of --length operations (default 2) within an application. Every position
-- counts, so sequences overlap.
WITH counted AS (
    SELECT sequence, codes, sum(count) AS count
    FROM temp.tally_sequence
    GROUP BY sequence, codes
)
SELECT
    row_number() OVER popular AS rank,
    sequence,
    count,
    1.0 * count / sum(count) OVER () AS share
FROM counted
WINDOW popular AS (ORDER BY count DESC, sequence, codes)
ORDER BY rank
LIMIT ifnull(:top, -1);
