-- report: process
-- title: I/Os by application
-- kinds: io
-- when: by = application
-- tally: process origin
-- plot: classes
-- plot: class-shares if share row column
-- column: application text
-- key: application
-- include: by-class-columns
--
-- Processes of one application are one row, those that the configuration does not name have rows of
-- their own. Kernel threads are no application.
WITH item AS (
    SELECT application_of(process) AS name, class, count, bytes
    FROM temp.tally_process
    WHERE application_of(process) IS NOT NULL
),
-- include: by-class
-- remark
WITH thread AS (
    SELECT process, sum(count) AS count
    FROM temp.tally_process
    WHERE application_of(process) IS NULL
    GROUP BY process
    HAVING sum(count) > 0
)
SELECT printf('excluded: %d I/Os of %d kernel threads (%s%s); shares are of the rest',
    sum(count), count(*),
    (SELECT group_concat(process, ', ')
        FROM (SELECT process FROM thread ORDER BY count DESC, process LIMIT 3)),
    iif(count(*) > 3, ', …', ''))
FROM thread
HAVING count(*) > 0;
-- remark
SELECT 'the configuration names no application of these processes: process_names'
WHERE NOT EXISTS (
    SELECT 1 FROM temp.tally_process WHERE application_of(process) <> process
);
-- include: origin-remark
