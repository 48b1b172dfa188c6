-- remark
-- How large cells are.
WITH
-- include: rate-second
SELECT printf('cells of %.9g %s from the start of %s, by %s; empty cells excluded',
    length / ifnull(second, 1), iif(second IS NULL, 'units', 's'),
    iif((SELECT count(*) FROM temp.selection) > 1, 'each trace: traces are laid over one another', 'the trace'),
    iif(sectors > 0, printf('%d sectors', sectors), 'a twentieth of a power of ten'))
FROM temp.heatmap_grid
CROSS JOIN clock
WHERE intervals > 0;
