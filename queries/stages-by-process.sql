-- report: stages
-- title: Stages of requests, by who asked
-- kinds: io
-- needs: address=sector
-- when: by = process
-- tally: stage_process
-- column: process text
-- key: process stage
-- include: stage-columns
-- fact: processes report
WITH
-- include: stages
SELECT name, stage, count, min, mean, p50, p90, p99, max, share
FROM stage_row
ORDER BY sum(count * (place = 7)) OVER (PARTITION BY name) DESC, name, place;
-- remark
SELECT 'Q2Q is the time since the last Q of the device, whoever asked; btt has that since the last of the process'
FROM temp.stage_count
WHERE asked > 0
LIMIT 1;
-- include: stage-remarks
