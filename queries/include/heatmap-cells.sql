-- The cells of temp.tally_heatmap, by time and upwards.
SELECT h.time, h."from", h.count, h."column", h.row, g.length
FROM temp.tally_heatmap AS h
CROSS JOIN temp.heatmap_grid AS g
ORDER BY h.time, h."from", h.row
LIMIT ifnull(:top, -1);
-- include: heatmap-remark
