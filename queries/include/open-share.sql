-- remark loss
-- How much of the self time of temp.tally_span rests on calls that are open at the end.
SELECT printf('self time of calls still open: %.2f %%', 100.0 * p.self / w.self)
FROM temp.open_part AS p
JOIN (SELECT total(self) AS self FROM temp.tally_span) AS w
WHERE p.calls > 0 AND w.self > 0;
