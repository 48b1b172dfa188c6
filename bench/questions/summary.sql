-- trace: most-binary
-- report: summary
-- columns: attribute value
-- rows: some
WITH io AS MATERIALIZED (
    SELECT max(time) - min(time) AS run_time, count(*) AS events,
        count(*) FILTER (WHERE (flags & 7) < 2) AS reads,
        count(*) FILTER (WHERE (flags & 7) IN (2, 3)) AS writes,
        sum(size) FILTER (WHERE (flags & 7) < 2) AS bytes_read,
        sum(size) FILTER (WHERE (flags & 7) IN (2, 3)) AS bytes_written,
        count(DISTINCT a.name) AS processes
    FROM event AS e JOIN actor AS a ON a.id = e.actor
)
SELECT 'run time', run_time FROM io
UNION ALL SELECT 'events', events FROM io
UNION ALL SELECT 'reads', reads FROM io
UNION ALL SELECT 'writes', writes FROM io
UNION ALL SELECT 'bytes read', bytes_read FROM io
UNION ALL SELECT 'bytes written', bytes_written FROM io
UNION ALL SELECT 'processes', processes FROM io;
