-- report: syscalls
-- title: System calls, by file
-- kinds: calls
-- needs: value=result
-- needs: object=file
-- when: by = file
-- tally: call times_file
-- column: file text
-- key: file
-- include: syscalls-columns
WITH counted AS MATERIALIZED (
    SELECT
        ifnull(o.name, '') AS name,
        -- include: syscalls-sums
    FROM temp.tally_call AS t
    LEFT JOIN main.object AS o ON o.id = t.object
    WHERE t.returned
    GROUP BY 1
)
-- include: syscalls
