-- report: locality
-- title: Sequential and random I/O
-- kinds: io
-- options: data-only
-- tally: locality
-- column: class text
-- column: sequential integer
-- column: random integer
-- column: sequential_share share fraction
--
-- An I/O is sequential when it starts where the previous one of the same direction and device ended;
-- the first one is random. --data-only leaves metadata and journal out.
WITH class(number, class) AS (
    VALUES (0, 'read'), (1, 'write')
)
SELECT
    class.class,
    ifnull(sum(t.sequential), 0) AS sequential,
    ifnull(sum(t.random), 0) AS random,
    ifnull(1.0 * sum(t.sequential) / (sum(t.sequential) + sum(t.random)), 0.0) AS sequential_share
FROM class
LEFT JOIN temp.tally_locality AS t ON t.direction = class.number
GROUP BY class.number
ORDER BY class.number;
-- remark
SELECT 'metadata and journal blocks are left out' WHERE :data_only IS NOT NULL;
