    -- The columns of popularity-columns.sql, out of `counted` (name, count, …), which should be
    -- MATERIALIZED, in the order of a window `popular`.
    row_number() OVER popular AS rank,
    name,
    count,
    1.0 * count / (SELECT sum(count) FROM counted) AS share,
    1.0 * sum(count) OVER (popular ROWS UNBOUNDED PRECEDING) / (SELECT sum(count) FROM counted)
        AS cumulative
