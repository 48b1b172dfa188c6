-- report: popularity
-- title: Popularity of processes
-- kinds: io
-- when: cdf
-- tally: process origin
-- plot: popularity
-- include: popularity-columns
WITH counted AS MATERIALIZED (
    -- include: popular-processes
)
-- include: popularity-rows
-- include: origin-remark
-- include: popularity-cdf-remark
