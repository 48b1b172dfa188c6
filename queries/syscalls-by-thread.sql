-- report: syscalls
-- title: System calls, by thread
-- kinds: calls
-- needs: value=result
-- when: by = thread
-- tally: call times_thread
-- column: thread text
-- key: thread
-- include: syscalls-columns
WITH counted AS MATERIALIZED (
    SELECT
        ifnull(a.label, '') AS name,
        -- include: syscalls-sums
    FROM temp.tally_call AS t
    LEFT JOIN temp.thread AS a ON a.id = t.actor
    WHERE t.returned
    GROUP BY 1
)
-- include: syscalls
