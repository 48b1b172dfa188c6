-- report: burstiness
-- question: Does the work come evenly or in bursts?
-- fact: times report
-- title: Burstiness
-- kinds: calls io spans
-- options: window
-- tally: burst
-- column: measure text - - measured quantity
-- column: window duration ns - the length of the window
-- column: count int - - number of events, or of references, in the row
-- column: value real - - the value
-- column: signed integer if compare
-- compare: rows key=measure,window value=value signed=signed alone
--
-- CV, B, B_n and M describe the gaps between successive events; IDC describes the numbers of events
-- in windows of time. `count` is the number of gaps, or windows.
SELECT measure, window, count, value, measure IN ('B', 'B_n', 'M')
FROM temp.tally_burst
WHERE measure <> 'mean gap'
ORDER BY rowid;
-- remark definition
SELECT printf('gaps between events: %d, mean %s; CV: population standard deviation / mean; IDC: sample variance / mean', count,
    iif(:people AND unit = 'ns', people(value, 'duration', unit), printf('%.9g %s', value / iif(unit = 'ns', 1e9, 1), iif(unit = 'ns', 's', unit))))
FROM temp.tally_burst
CROSS JOIN (
    SELECT t.clock_unit AS unit
    FROM temp.selection AS s
    CROSS JOIN main.trace AS t ON t.id = s.trace
    LIMIT 1
)
WHERE measure = 'mean gap' AND count > 0;
-- remark definition
SELECT 'windows: from the start of the trace, empty ones included, partial ones excluded; IDC needs at least two';
-- include: outlying-remark
