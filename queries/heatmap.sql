-- report: heatmap
-- title: Time from issue to completion, over time
-- kinds: io
-- when: of = latency by default
-- options: interval
-- tally: heatmap
-- column: time time s
-- column: latency duration ns
-- include: heatmap-columns
--
-- A row for each cell of time and latency that holds any I/O: where it begins, in both.
-- include: heatmap-cells
-- remark
SELECT printf('%d I/Os have no latency: issue (D) not in the log, no data, or a partial completion', left_out)
FROM temp.heatmap_grid
WHERE left_out > 0;
-- include: loss-remark
