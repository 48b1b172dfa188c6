-- report: gaps
-- title: Distribution of idle times
-- kinds: calls
-- needs: duration=call
-- when: cdf
-- tally: gap
-- plot: gaps-cdf
-- include: gaps-cdf-columns
--
-- Idle times as in gaps-idle.sql, all of them, whatever --top says: by the first of 1, 2, 5, 10, … units
-- that they do not exceed.
WITH RECURSIVE gap AS MATERIALIZED (
    SELECT "end" - start AS length, count(*) AS count FROM temp.tally_gap GROUP BY "end" - start
),
-- include: gaps-cdf
-- include: gaps-idle-remark
