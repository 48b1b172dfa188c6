    -- Of the rows of an hour, out of those of hours.sql: its share of all.
    ifnull(1.0 * sum(count) / (SELECT sum(count) FROM placed), 0.0) AS share
