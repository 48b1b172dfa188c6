-- report: stages
-- title: Stages of requests, by block device
-- kinds: io
-- needs: address=sector
-- when: by = disk
-- tally: stage_disk
-- column: disk text
-- key: disk stage
-- include: stage-columns
WITH
-- include: stages
SELECT name, stage, count, min, mean, p50, p90, p99, max, share
FROM stage_row
ORDER BY sum(count * (place = 7)) OVER (PARTITION BY name) DESC, name, place;
-- include: stage-remarks
