-- report: stages
-- title: Stages of requests: where the time goes
-- kinds: io
-- needs: address=sector
-- tally: stage
-- key: stage
-- include: stage-columns
--
-- By btt's definitions. Percentiles are values that occur: the smallest one that so many do not
-- exceed.
WITH
-- include: stages
SELECT stage, count, min, mean, p50, p90, p99, max, share
FROM stage_row
ORDER BY place;
-- include: stage-remarks
