-- report: counters
-- question: What values did counters have?
-- title: Counters over time
-- kinds: samples
-- needs: value=counter
-- events: yes
-- when: picture
-- plot: counters
-- thin: time/800 place/200 rank
-- column: time time s - when it was, since the start of the trace; of an interval, when it begins
-- column: counter text - - what the program or the kernel calls it
-- column: value int - - its value from then on
-- column: place number if picture
-- column: rank number if picture
--
WITH named AS MATERIALIZED (
    SELECT e.operation, e.actor, e.trace, count(*) AS count,
        n.text || ifnull(' ' || ifnull(p.label, a.name), '') || ifnull(', ' || t.name, '') AS name,
        min(e.value) AS least, max(e.value) AS most
    FROM temp.selected_event AS e
    CROSS JOIN main.name AS n ON n.id = e.operation
    LEFT JOIN main.actor AS a ON a.id = e.actor
    LEFT JOIN temp.process AS p ON p.id = e.actor
    LEFT JOIN main.trace AS t ON t.id = e.trace AND (SELECT count(*) > 1 FROM temp.selection)
    GROUP BY e.operation, e.actor, e.trace
),
ranked AS MATERIALIZED (
    SELECT operation, actor, trace, name, least, most, dense_rank() OVER (ORDER BY total DESC, name) AS rank
    FROM (SELECT operation, actor, trace, name, sum(count) OVER names AS total, min(least) OVER names AS least,
            max(most) OVER names AS most
        FROM named
        WINDOW names AS (PARTITION BY name)
    )
)
SELECT e.time, k.name, e.value, (e.value - 1.0 * k.least) / max(k.most - 1.0 * k.least, 1), k.rank
FROM temp.selected_event AS e
CROSS JOIN ranked AS k ON k.operation = e.operation AND k.actor IS e.actor AND k.trace = e.trace;
