-- report: stages
-- page: 20
-- question: Where do block requests spend their time?
-- kinds: io
-- instead: waits
-- instead: blocked
-- needs: address=sector
-- plot: latency
-- meanless: p50 p90 p99
-- compare: rows value=count,min,mean,p50,p90,p99,max,share
-- worth: share mean p99 max count p50 p90
-- by: disk
-- title: Stages of requests, by block device
-- tally: stage_disk
-- key: disk stage
-- column: disk text - - the device, as MAJOR:MINOR; none if the log does not name devices
-- by: process
-- title: Stages of requests, by who asked
-- tally: stage_process
-- key: process stage
-- fact: processes report
-- column: process text - - the process
-- part: main
-- title: Stages of requests: where the time goes
-- tally: stage
-- key: stage
--
-- Definitions as in btt. Percentiles are nearest rank: observed values.
-- part: all
-- column: stage text - - the step from one point of a request to the next: Q queued, G request allocated, I inserted, M merged, D issued, S sent to the device, R response of the device, C completed
-- column: count int - - number of events, or of references, in the row
-- column: min duration ns less minimum
-- column: mean duration ns less mean
-- column: p50 duration ns less median: smallest value that half of the values do not exceed
-- column: p90 duration ns less smallest value that 90 % of the values do not exceed
-- column: p99 duration ns less smallest value that 99 % of the values do not exceed
-- column: max duration ns less maximum
-- column: share share fraction - share of all
WITH
-- Times by stage from temp.distribution, whose group names are the digit of the stage and a name.
-- Shares are of the time from Q to C, like btt's device overhead.
stage(number, name) AS (
    VALUES (0, 'Q2Q'), (1, 'Q2G'), (2, 'G2I'), (3, 'Q2M'), (4, 'I2D'), (5, 'M2D'), (6, 'D2C'), (7, 'Q2C'), (8, 'S2R')
),
counted AS (
    SELECT substr(name, 2) AS name, CAST(substr(name, 1, 1) AS INTEGER) AS stage,
        count, min, mean, p50, p90, p99, max, sum
    FROM temp.distribution
),
stage_row AS (
    SELECT
        c.name, s.name AS stage, iif(c.stage = 8, 6.5, c.stage) AS place, c.count, c.min, c.mean, c.p50, c.p90, c.p99, c.max,
        iif(c.stage BETWEEN 1 AND 6 OR c.stage = 8,
            1.0 * c.sum / sum(c.sum) FILTER (WHERE c.stage = 7) OVER (PARTITION BY c.name), NULL)
            AS share
    FROM counted AS c
    JOIN stage AS s ON s.number = c.stage
)
-- part: main
SELECT stage, count, min, mean, p50, p90, p99, max, share
FROM stage_row
ORDER BY place;
-- by: disk
SELECT name, stage, count, min, mean, p50, p90, p99, max, share
FROM stage_row
WINDOW whole AS (PARTITION BY name)
ORDER BY sum(count * (place = 7)) OVER whole DESC, sum(count * (place = 6)) OVER whole DESC, name, place;
-- by: process
SELECT name, stage, count, min, mean, p50, p90, p99, max, share
FROM stage_row
WINDOW whole AS (PARTITION BY name)
ORDER BY sum(count * (place = 7)) OVER whole DESC, sum(count * (place = 6)) OVER whole DESC, name, place;
-- remark definition
SELECT 'Q2Q: time since the last queue event (Q) of the device; btt takes the last one of the process'
FROM temp.stage_count
WHERE asked > 0
LIMIT 1;
-- part: all
-- Remarks on temp.tally_stage, from temp.stage_count.
-- remark
SELECT printf('queued (Q): %d, issued (D): %d, merge ratio Q/D: %.2f', asked, issued,
    1.0 * max(asked, issued) / issued)
    || iif(requeued > 0, printf('; requeues (R), counted as queued: %d', requeued), '')
FROM (
    SELECT sum(asked + requeued) AS asked, sum(requeued) AS requeued, sum(issued) AS issued
    FROM temp.stage_count
    WHERE NOT no_q
)
WHERE asked > 0 AND issued > 0;
-- remark
SELECT printf('%s no queue events (Q): only issue (D) to completion (C) is reported; btt reports nothing',
    iif(count(*) = 1, 'the trace has', count(*) || ' of the traces have'))
FROM temp.stage_count
WHERE no_q AND issued > 0
HAVING count(*) > 0;
-- remark
SELECT 'no queue (Q) or issue (D) '
    || (SELECT iif(max(filtered OR NOT whole), 'among the selected events', 'in the log') FROM temp.selection) || ': no stages'
WHERE NOT EXISTS (SELECT 1 FROM temp.stage_count WHERE asked + issued > 0);
-- remark
SELECT 'split (X): ' || counted(sum(split), 'request{s}, each part counted by itself; btt leaves a part open and matches '
    || 'later requests of its sectors')
FROM temp.stage_count
HAVING sum(split) > 0;
-- remark excluded
SELECT printf('excluded: %s without a queue event (Q), %s without completion at the end of the log',
    counted(sum(unasked) FILTER (WHERE NOT no_q), 'issued request{s}'), counted(sum("left") FILTER (WHERE NOT no_q), 'queue event{s}'))
FROM temp.stage_count
HAVING sum(unasked + "left") FILTER (WHERE NOT no_q) > 0;
-- remark loss
SELECT 'excluded: ' || counted(sum(forgotten), 'queue event{s} (Q), as more than 65536 had no completion yet')
FROM temp.stage_count
HAVING sum(forgotten) > 0;
-- remark loss
SELECT 'excluded: ' || counted(sum(given_up), 'queue event{s} (Q) without completion, as a later one of the same sectors has completed')
FROM temp.stage_count
HAVING sum(given_up) > 0;
-- remark loss
SELECT 'lost while tracing: ' || counted(sum(l.count), 'record{s}; steps may be missing')
FROM temp.selection AS s
CROSS JOIN main.ledger AS l ON l.trace = s.trace
WHERE l.outcome = 'lost'
HAVING sum(l.count) > 0;
-- include: loss-remark
