-- report: findings
-- title: slow I/Os far above the others
-- kinds: io
-- tally: latency_none rate
-- weight: weight time
-- say: p99 of the latency is {p99}, {times} times the median of {p50}[; I/Os that slow occur in {slow} of {intervals} {noun} of {length}]
-- look: report latency --by none
-- why: One I/O in a hundred waits behind others, a flush, or the device's own work.
-- unless: The I/Os have very different sizes.
-- source: tracetool's own choice; no published threshold is known.
-- parameter: tail-factor real 20 "p99 as a multiple of the median"
-- parameter: tail-count integer 100 "least number of I/Os with a time"
-- column: fires int
-- column: value real
-- column: threshold real
-- column: weight share
-- column: p99 duration
-- column: p50 duration
-- column: times int
-- column: slow int
-- column: intervals int
-- column: noun text
-- column: length duration
-- The weight is the least possible share of all times that the slowest hundredth takes.
WITH slow AS (
    SELECT count(*) AS slow
    FROM (SELECT interval, max(longest) AS longest FROM temp.tally_rate GROUP BY interval)
    WHERE longest >= (SELECT p99 FROM temp.distribution)
),
measured AS (
    SELECT *, 1.0 * p99 / nullif(p50, 0) AS value FROM temp.distribution
)
SELECT iif(m.count > 0, m.value > :tail_factor AND m.count >= :tail_count, NULL) AS fires, m.value, :tail_factor AS threshold,
    min(1.0, 0.01 * m.count * m.p99 / nullif(m.sum, 0)) AS weight,
    m.p99, m.p50, CAST(round(m.value) AS INTEGER) AS times, s.slow,
    (SELECT count(*) FROM temp.rate_interval) AS intervals,
    iif((SELECT count(*) FROM temp.rate_interval) = 1, 'interval', 'intervals') AS noun,
    (SELECT max(length) FROM temp.rate_interval) AS length
FROM measured AS m, slow AS s
