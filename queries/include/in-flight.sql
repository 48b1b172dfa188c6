-- remark
SELECT printf('nothing in flight; of the I/Os, %d are in flight since they were asked for (Q), %d since '
    || 'their issue (D), %d have neither and count when they complete', asked, issued, completed)
FROM temp.in_flight;
-- remark
WITH
    -- include: earlier
SELECT printf('%s: when I/Os were asked for is not known to an earlier version; import the %s again for '
    || 'idle times that end there', iif(count(*) = 1, 'trace ' || min(name), count(*) || ' traces'),
    iif(count(*) = 1, 'log', 'logs'))
FROM earlier
HAVING count(*) > 0;
-- remark
SELECT printf('%d of all idle times end where an I/O was asked for or issued whose completion is not known',
    unanswered)
FROM temp.in_flight
WHERE unanswered > 0;
-- remark
SELECT printf('%d I/Os began before idle times that stood already: these are too long', overlooked)
FROM temp.in_flight
WHERE overlooked > 0;
