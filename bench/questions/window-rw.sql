-- trace: most-binary
-- report: rw --from $from_option --to $to_option
-- columns: class count bytes
-- rows: some
-- reads: window
SELECT
    CASE flags & 7 WHEN 0 THEN 'read' WHEN 1 THEN 'readsync' WHEN 2 THEN 'write'
        WHEN 3 THEN 'writesync' WHEN 5 THEN 'flush' ELSE 'other' END,
    count(*), sum(size)
FROM event
WHERE time >= $from AND time < $to
GROUP BY 1;
