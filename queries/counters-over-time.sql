-- report: counters
-- question: What values did counters have?
-- title: Counters over time
-- kinds: samples
-- needs: value=counter
-- events: yes
-- when: picture
-- plot: rate-by
-- thin: time/800 value/200 rank
-- column: time time s - when it was, since the start of the trace; of an interval, when it begins
-- column: counter text - - what the program or the kernel calls it
-- column: value int - - its value from then on
-- column: rank number if picture
--
WITH named AS MATERIALIZED (
    SELECT e.operation, e.actor, n.text || ifnull(' ' || ifnull(p.label, a.name), '') AS name, count(*) AS count
    FROM temp.selected_event AS e
    CROSS JOIN main.name AS n ON n.id = e.operation
    LEFT JOIN main.actor AS a ON a.id = e.actor
    LEFT JOIN temp.process AS p ON p.id = e.actor
    GROUP BY e.operation, e.actor
),
ranked AS MATERIALIZED (
    SELECT operation, actor, name, dense_rank() OVER (ORDER BY total DESC, name) AS rank
    FROM (SELECT *, sum(count) OVER (PARTITION BY name) AS total FROM named)
)
SELECT e.time, k.name, e.value, k.rank
FROM temp.selected_event AS e
CROSS JOIN ranked AS k ON k.operation = e.operation AND k.actor IS e.actor;
