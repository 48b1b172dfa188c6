    -- Columns of by-class-columns.sql, from `counted` (class-counts.sql, bytes) with a window
    -- `whole`.
    read, readsync, write, writesync, flush, other, total,
    read + readsync AS reads,
    write + writesync AS writes,
    1.0 * total / sum(total) OVER whole AS share,
    bytes,
    ifnull(1.0 * bytes / nullif(sum(bytes) OVER whole, 0), 0.0) AS bytes_share
