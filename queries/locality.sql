-- report: locality
-- question: How much of the access is sequential?
-- title: Sequential and random I/O
-- kinds: io
-- needs: address=sector
-- options: data-only
-- tally: locality size
-- column: class text - - read or write, synchronous ones included
-- key: class
-- column: sequential int - - accesses that begin where the previous one ended
-- column: random int - - accesses that do not begin where the previous one ended
-- column: sequential_share share fraction more share that is sequential
-- compare: rows
-- fact: reads-and-writes report
-- fact: sizes report
--
-- An I/O is sequential if it starts where the previous one of the same direction and device ended;
-- the first one is random. I/Os without data are neither. --data-only excludes metadata and
-- journal. Without I/Os, the share is NULL.
WITH class(number, class) AS (
    VALUES (0, 'read'), (1, 'write')
)
SELECT
    class.class,
    ifnull(sum(t.sequential), 0) AS sequential,
    ifnull(sum(t.random), 0) AS random,
    1.0 * sum(t.sequential) / (sum(t.sequential) + sum(t.random)) AS sequential_share
FROM class
LEFT JOIN temp.tally_locality AS t ON t.direction = class.number
GROUP BY class.number
ORDER BY class.number;
-- remark excluded
SELECT 'excluded: metadata and journal blocks' WHERE :data_only IS NOT NULL;
-- include: order-remark
-- include: without-data
-- remark excluded
WITH counts AS (
    SELECT
        (SELECT ifnull(sum(count), 0) FROM temp.tally_size WHERE size > 0) AS total,
        (SELECT ifnull(sum(sequential + random), 0) FROM temp.tally_locality) AS counted
)
SELECT printf(iif(total = 1, 'excluded: %d of %d I/O with data that is neither a read nor a write%s or has no sector',
        'excluded: %d of %d I/Os with data that are neither reads nor writes%s or have no sector'),
    total - counted, total, iif(:data_only IS NULL, '', iif(total = 1, ', is a metadata or journal block', ', are metadata or journal blocks')))
FROM counts
WHERE total > counted;
