-- Times by stage out of temp.distribution, whose groups are called by the digit of the stage and, behind
-- it, a name: the rest of WITH and of the query, and its remarks. The caller's columns come between
-- `stage_row` and its own: name, then what stage-columns lists. Shares are of the time from Q to C, as
-- btt's device overhead.
stage(number, name) AS (
    VALUES (0, 'Q2Q'), (1, 'Q2G'), (2, 'G2I'), (3, 'Q2M'), (4, 'I2D'), (5, 'M2D'), (6, 'D2C'), (7, 'Q2C')
),
counted AS (
    SELECT substr(name, 2) AS name, CAST(substr(name, 1, 1) AS INTEGER) AS stage,
        count, min, mean, p50, p90, p99, max, sum
    FROM temp.distribution
),
stage_row AS (
    SELECT
        c.name, s.name AS stage, c.stage AS place, c.count, c.min, c.mean, c.p50, c.p90, c.p99, c.max,
        iif(c.stage BETWEEN 1 AND 6,
            1.0 * c.sum / sum(c.sum) FILTER (WHERE c.stage = 7) OVER (PARTITION BY c.name), NULL)
            AS share
    FROM counted AS c
    JOIN stage AS s ON s.number = c.stage
)
