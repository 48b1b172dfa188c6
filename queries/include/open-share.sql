-- remark loss
-- Share of the self time in temp.tally_span that is of calls still open at the end.
SELECT printf('calls still open at the end of the log: %.2f %% of the self time', 100.0 * p.self / w.self)
FROM temp.open_part AS p
JOIN (SELECT total(self) AS self FROM temp.tally_span) AS w
WHERE p.calls > 0 AND w.self > 0;
