-- remark
SELECT 'share: of the thread''s time, from the start of its first call to the end of its last';
-- remark
WITH
-- include: call-waits
SELECT printf('excluded: %d calls that do not wait (%.6f s of %.6f s in calls)',
    sum(iif(waits_for IS NULL, timed, 0)), sum_time(iif(waits_for IS NULL, total, 0)) / 1e9,
    sum_time(total) / 1e9)
FROM waiting
HAVING sum(iif(waits_for IS NULL, timed, 0)) > 0 OR sum_time(iif(waits_for IS NULL, total, 0)) > 0;
-- remark
SELECT printf('excluded: %d of %d calls without a duration', sum(calls - timed), sum(calls))
FROM temp.tally_call
WHERE returned
HAVING sum(calls - timed) > 0;
-- include: not-returned-remark
