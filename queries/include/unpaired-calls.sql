-- remark loss
-- Calls of the selected traces whose begin or end is not in the log, regardless of filters.
SELECT printf('calls whose end is not in the log: %d, calls whose begin is not in the log: %d%s', sum(p.open), sum(p.unissued),
    iif(sum(p.unbelieved) > 0,
        printf('; durations left out, as they may join two calls: %d', sum(p.unbelieved)), ''))
FROM temp.selection AS s
CROSS JOIN main.trace AS t ON t.id = s.trace
CROSS JOIN main.pairing AS p ON p.trace = s.trace
WHERE t.kind = 'calls'
HAVING sum(p.open + p.unissued + p.unbelieved) > 0;
