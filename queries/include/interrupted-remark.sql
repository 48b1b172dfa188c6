-- remark excluded
-- A strace log without -T has the durations of calls that another thread interrupted, of which most are long. The
-- remark is by importers/strace.c.
SELECT iif(count(*) = (SELECT count(*) FROM temp.selection), '', group_concat(t.name, ', ') || ': ')
    || 'only calls that another thread interrupted have a duration, and these are longer than others; record with strace -T'
FROM temp.selection AS s
CROSS JOIN main.remark AS r ON r.trace = s.trace AND r.text LIKE 'no durations, except of calls that another thread interrupted%'
CROSS JOIN main.trace AS t ON t.id = s.trace
HAVING count(*) > 0;
