-- report: syscalls
-- title: System calls, by process
-- kinds: calls
-- needs: value=result
-- when: by = process
-- tally: call times_process
-- column: process text
-- key: process
-- include: syscalls-columns
WITH counted AS MATERIALIZED (
    SELECT
        ifnull(a.label, '') AS name,
        -- include: syscalls-sums
    FROM temp.tally_call AS t
    LEFT JOIN temp.process AS a ON a.id = t.actor
    WHERE t.returned
    GROUP BY 1
)
-- include: syscalls
