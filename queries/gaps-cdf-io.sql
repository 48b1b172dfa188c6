-- report: gaps
-- title: Distribution of idle times
-- kinds: io
-- when: cdf
-- tally: idle
-- plot: gaps-cdf
-- include: gaps-cdf-columns
--
-- Times in which nothing was in flight, as in gaps-io.sql.
WITH RECURSIVE gap AS MATERIALIZED (
    SELECT "end" - start AS length, count(*) AS count FROM temp.tally_idle GROUP BY "end" - start
),
-- include: gaps-cdf
-- include: in-flight
