-- Groups `d`, and the points `c` of their curves: one row per group. In a picture with `curves` in
-- the header, one row per point instead. For curve.sql.
FROM temp.distribution AS d
LEFT JOIN temp.distribution_curve AS c ON c.name = d.name
