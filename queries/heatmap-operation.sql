-- report: heatmap
-- title: Operations over time, by how many calls begin there
-- kinds: calls spans
-- when: of = operation
-- options: interval
-- tally: rate_operation
-- plot: timeline-names
-- column: time time s
-- column: id number
-- column: operation text
-- column: count integer
-- column: rank number if picture
-- column: length time s if picture
--
-- A row for each interval and operation of which any call begins in it; `id` is the number of the
-- operation (the trap), where it has one. Operations are one as in popularity. `rank` is by how many calls
-- it has over all, all from the hundredth on have that.
WITH
counted AS MATERIALIZED (
    SELECT r.interval, n.code, n.text, sum(r.count) AS count
    FROM temp.tally_rate AS r
    LEFT JOIN temp.merged_operation AS m ON m.id = r."group"
    JOIN main.name AS n ON n.id = ifnull(m.merged, r."group")
    GROUP BY r.interval, n.text, n.code
),
ranked AS MATERIALIZED (
    SELECT text, code, min(100, row_number() OVER (ORDER BY sum(count) DESC, text, code)) AS rank
    FROM counted
    GROUP BY text, code
)
SELECT i.start, c.code, c.text, c.count, r.rank, i.length
FROM temp.rate_interval AS i
CROSS JOIN counted AS c ON c.interval = i.interval
JOIN ranked AS r ON r.text = c.text AND r.code IS c.code
ORDER BY i.start, c.code, c.text
LIMIT ifnull(:top, -1);
-- remark
WITH
-- include: rate-second
SELECT printf('cells of %.9g %s from the start of %s; empty cells excluded',
    length / ifnull(second, 1), iif(second IS NULL, 'units', 's'),
    iif((SELECT count(*) FROM temp.selection) > 1, 'each trace: traces are laid over one another', 'the trace'))
FROM temp.rate_interval
CROSS JOIN clock
LIMIT 1;
