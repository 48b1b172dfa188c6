    -- The columns of files-columns.sql, out of `counted`, and their order.
    bytes_read,
    bytes_written,
    min(bytes_read + bytes_written, 9223372036854775807) AS bytes,
    ifnull(1.0 * (bytes_read + bytes_written)
        / nullif((SELECT total(bytes_read + bytes_written) FROM counted), 0), 0.0) AS share
FROM counted
ORDER BY bytes DESC, reads + writes DESC, name
LIMIT ifnull(:rows, -1);
