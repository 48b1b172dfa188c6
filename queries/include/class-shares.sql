    -- Of the rows of `counted` (class-counts.sql, bytes), over a window `whole`: the columns of
    -- by-class-columns.sql.
    read, readsync, write, writesync, flush, other, total,
    read + readsync AS reads,
    write + writesync AS writes,
    1.0 * total / sum(total) OVER whole AS share,
    bytes,
    ifnull(1.0 * bytes / nullif(sum(bytes) OVER whole, 0), 0.0) AS bytes_share
