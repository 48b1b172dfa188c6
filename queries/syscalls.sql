-- report: syscalls
-- title: System calls
-- kinds: calls
-- instead: functions
-- needs: value=result
-- when: by = operation by default
-- tally: call times_operation
-- column: name text
-- key: name
-- include: syscalls-columns
WITH counted AS MATERIALIZED (
    SELECT
        ifnull(n.text, '') AS name,
        -- include: syscalls-sums
    FROM temp.tally_call AS t
    LEFT JOIN main.name AS n ON n.id = t.operation
    WHERE t.returned
    GROUP BY 1
)
-- include: syscalls
