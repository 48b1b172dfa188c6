-- For curve.sql: a row per group `d`; in a picture with `curves:`, per point `c` of its curve.
FROM temp.distribution AS d
LEFT JOIN temp.distribution_curve AS c ON c.name = d.name
