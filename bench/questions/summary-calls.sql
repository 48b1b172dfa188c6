-- trace: palmist
-- report: summary
-- columns: attribute value
-- rows: some
WITH all_calls AS MATERIALIZED (
    SELECT max(time) - min(time) AS run_time, count(*) AS events,
        count(DISTINCT actor) AS applications, count(DISTINCT operation) AS operations,
        max(size) AS largest, sum(size) AS bytes,
        count(*) FILTER (WHERE size = 0) AS empty
    FROM event
)
SELECT 'run time', CAST(run_time AS TEXT) FROM all_calls
UNION ALL SELECT 'events', CAST(events AS TEXT) FROM all_calls
UNION ALL SELECT 'operations seen', operations || ' of 990 (default set)' FROM all_calls
UNION ALL SELECT 'applications', CAST(applications AS TEXT) FROM all_calls
UNION ALL SELECT 'largest argument size', CAST(largest AS TEXT) FROM all_calls
UNION ALL SELECT 'argument bytes', CAST(bytes AS TEXT) FROM all_calls
UNION ALL SELECT 'calls without arguments', CAST(empty AS TEXT) FROM all_calls;
