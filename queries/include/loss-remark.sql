-- remark loss
SELECT printf('lost events: %s; %s without issue, %s without completion; '
        || 'about %s pairs (%.2f %%) join two requests', counted(pairs, 'issue{ paired with its completion|s paired with completions}'),
        counted(unissued, 'completion{s}'), counted("open", 'issue{s}'),
        iif(joined < 0.05, '0', printf(iif(joined < 9.95, '%.1f', '%.0f'), joined)), 100.0 * joined / max(pairs, 1))
    || iif(joined >= 0.0005 * pairs AND pairs > 0, '; mean, p99 and max may come from such pairs', '')
    || iif(unbelieved > 0, printf('; excluded, above 100 times the 99th percentile: %d', unbelieved), '')
FROM (
    SELECT
        sum(p.pairs) AS pairs, sum(p.unissued) AS unissued, sum(p."open") AS "open",
        sum(p.unbelieved) AS unbelieved,
        total(1.0 * p.unissued / max(p.completions, 1) * p."open" / max(p.issues, 1) * p.pairs) AS joined
    FROM temp.selection AS s
    CROSS JOIN main.trace AS t ON t.id = s.trace
    CROSS JOIN main.pairing AS p ON p.trace = s.trace
    WHERE t.kind = 'io'
    HAVING sum(p.unissued + p."open") > 0
);
