UNION ALL
SELECT NULL, NULL, NULL, name FROM temp.distribution
