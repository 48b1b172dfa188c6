-- report: errors
-- title: Calls that failed, and how, by process
-- kinds: calls
-- needs: value=result
-- when: by = process
-- tally: call
-- window: begun
-- column: process text
-- column: name text
-- column: error text
-- key: process name error
-- include: errors-columns
WITH item AS (
    SELECT a.label AS part, t.operation, t.error, t.failed, t.calls
    FROM temp.tally_call AS t
    LEFT JOIN temp.process AS a ON a.id = t.actor
    WHERE t.returned
),
-- include: errors
SELECT
    part, name, error,
    -- include: errors-order
