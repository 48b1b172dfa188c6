-- remark
SELECT CASE
    WHEN NOT min(wall) THEN 'no wall clock: hours since the start of the trace, not folded'
    WHEN :timeline IS NOT NULL THEN 'hours since the full hour in which the trace began'
    ELSE 'hours of the day, local to the device' END
FROM temp.selection;
