-- report: concentration
-- title: Concentration on applications
-- kinds: calls
-- when: of = application
-- tally: operation
-- plot: none
-- include: concentration
-- concentration
SELECT a.code, sum(t.count)
FROM temp.tally_operation AS t
JOIN main.actor AS a ON a.id = t.actor
JOIN temp.selection AS s ON s.trace = a.trace
GROUP BY actor_label(a.name, a.code, a.session, s.sessions), a.code, a.session
