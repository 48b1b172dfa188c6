-- report: gaps
-- title: Distribution of times between calls
-- kinds: calls
-- when: cdf
-- tally: gap
-- plot: gaps-cdf
-- include: gaps-cdf-columns
--
-- Times as in gaps.sql, all of them, whatever --top says: by the first of 1, 2, 5, 10, … units
-- that they do not exceed.
WITH RECURSIVE gap AS MATERIALIZED (
    SELECT "end" - start AS length, count(*) AS count FROM temp.tally_gap GROUP BY "end" - start
),
-- include: gaps-cdf
