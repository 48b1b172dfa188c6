-- report: locality
-- question: How much of the access is sequential?
-- title: Sequential and random transfers
-- kinds: calls
-- needs: address=offset
-- tally: file_locality
-- plot: locality
-- column: class text - - read or write, synchronous ones included
-- key: class
-- compare: rows
-- column: sequential int - - accesses that begin where the previous one ended
-- column: random int - - accesses that do not begin where the previous one ended
-- column: sequential_share share fraction more share that is sequential
WITH class(number, class) AS (
    VALUES (0, 'read'), (1, 'write')
)
SELECT
    class.class,
    ifnull(sum(t.sequential), 0) AS sequential,
    ifnull(sum(t.random), 0) AS random,
    1.0 * sum(t.sequential) / nullif(sum(t.sequential) + sum(t.random), 0) AS sequential_share
FROM class
LEFT JOIN temp.tally_file_locality AS t ON t.direction = class.number
GROUP BY class.number
ORDER BY class.number;
-- include: sequential-remark
-- include: unpaired-calls
