-- report: heatmap
-- title: Sectors over time, by how many I/Os begin there
-- kinds: io
-- needs: address=sector
-- when: of = sector
-- options: interval
-- tally: heatmap_sector
-- plot: heatmap-sector
-- column: time time s
-- column: sector number
-- include: heatmap-columns
-- column: sectors number if picture
--
-- A row for each cell of time and sectors in which any I/O begins: where it begins, in both. What
-- carries no data has no place.
SELECT h.time, h."from", h.count, h."column", h.row, g.length, g.sectors
FROM temp.tally_heatmap AS h
CROSS JOIN temp.heatmap_grid AS g
ORDER BY h.time, h."from", h.row
LIMIT ifnull(:top, -1);
-- include: heatmap-remark
-- remark
SELECT printf('%d I/Os name no sector', left_out) FROM temp.heatmap_grid WHERE left_out > 0;
