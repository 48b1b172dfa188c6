-- Times by stage out of temp.tally_stage, the rest of WITH and of the query, and its remarks. Reads
-- `item` (name, stage, ns), defined before; the caller's columns come between `stage_row` and its
-- own: name, then what stage-columns lists. Shares are of the time from Q to C, as btt's device
-- overhead.
stage(number, name) AS (
    VALUES (0, 'Q2Q'), (1, 'Q2G'), (2, 'G2I'), (3, 'Q2M'), (4, 'I2D'), (5, 'M2D'), (6, 'D2C'), (7, 'Q2C')
),
counted AS (
    SELECT
        name, stage, count(*) AS count, min(ns) AS min,
        (2 * sum(ns) + count(*)) / (2 * count(*)) AS mean,
        quantile(ns, 0.5) AS p50, quantile(ns, 0.9) AS p90, quantile(ns, 0.99) AS p99,
        max(ns) AS max, sum(ns) AS total
    FROM item
    GROUP BY name, stage
),
stage_row AS (
    SELECT
        c.name, s.name AS stage, c.stage AS place, c.count, c.min, c.mean, c.p50, c.p90, c.p99, c.max,
        iif(c.stage BETWEEN 1 AND 6,
            1.0 * c.total / sum(c.total) FILTER (WHERE c.stage = 7) OVER (PARTITION BY c.name), NULL)
            AS share
    FROM counted AS c
    JOIN stage AS s ON s.number = c.stage
)
