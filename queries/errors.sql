-- report: errors
-- title: Calls that failed, and how, by file
-- kinds: calls
-- needs: value=result
-- needs: object=file
-- when: by = file by default
-- tally: call
-- window: begun
-- column: name text
-- column: error text
-- column: file text
-- key: name error file
-- include: errors-columns
--
-- A row for each error of a call on a file. `calls` are all calls of that name on the file that
-- returned, `rate` is the share of them that failed so.
WITH item AS (
    SELECT o.name AS part, t.operation, t.error, t.failed, t.calls
    FROM temp.tally_call AS t
    LEFT JOIN main.object AS o ON o.id = t.object
    WHERE t.returned
),
-- include: errors
SELECT
    name, error, part,
    -- include: errors-order
