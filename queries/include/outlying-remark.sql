-- remark
-- Run time and hours without outlying events.
WITH RECURSIVE
-- include: outlying
SELECT printf('trace %s: %d timestamp %s, more than a day from all others; run time without: %.6f s, %s',
    t.name, gone, iif(gone = 1, 'outlier', 'outliers'), (b.time - a.time) / 1e9,
    iif(t.start IS NULL,
        printf('from hour %d to hour %d', a.time / 3600000000000, b.time / 3600000000000),
        'from ' || datetime((t.start + a.time) / 1000000000 + 60 * ifnull(t.utc_offset, 0), 'unixepoch')
            || ' to '
            || datetime((t.start + b.time) / 1000000000 + 60 * ifnull(t.utc_offset, 0), 'unixepoch')))
FROM kept
CROSS JOIN main.trace AS t ON t.id = kept.trace
CROSS JOIN temp.selection AS s ON s.trace = kept.trace
CROSS JOIN main.event AS a ON a.id = kept.first
CROSS JOIN main.event AS b ON b.id = kept.last
ORDER BY s.place;
-- remark
-- Between two sessions of a Palm device.
SELECT r.text || iif((SELECT count(*) FROM temp.selection) > 1, printf(' (in %s)', counted(count(*), 'trace{s}')), '')
FROM temp.selection AS s
CROSS JOIN main.remark AS r ON r.trace = s.trace
WHERE r.text LIKE 'the device was reset: time between %'
HAVING count(*) > 0;
