-- report: popularity
-- title: Popularity of processes
-- kinds: io
-- when: of = process
-- tally: process origin
-- plot: popularity
-- include: popularity-columns
-- fact: processes report
WITH counted AS MATERIALIZED (
    -- include: popular-processes
)
-- include: popularity-rows
-- include: origin-remark
