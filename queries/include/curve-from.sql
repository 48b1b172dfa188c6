-- Groups `d` and `c`, the points of their curves: a row a group, and in a picture with `curves` in the header
-- one for each point of those that have one. For curve.sql.
FROM temp.distribution AS d
LEFT JOIN temp.distribution_curve AS c ON c.name = d.name
