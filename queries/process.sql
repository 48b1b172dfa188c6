-- report: process
-- page: 42
-- question: Which processes cause the I/O?
-- kinds: io
-- plot: classes
-- plot: class-shares if share row column
-- by: application
-- title: I/Os by application
-- tally: process origin
-- key: application
-- column: application text - - the application of the processes, from the configuration
--
-- Processes of an application are merged. Processes without a name in the configuration have their
-- own rows. Kernel threads are not applications.
-- by: issuer
-- title: I/Os by the process that dispatched them
-- needs: issuer=process
-- options: by-pid
-- tally: issuer origin
-- key: process
-- column: process text - - the process
-- part: by-pid
-- title: I/Os by process and pid
-- when: by-pid
-- tally: actor origin
-- key: process
-- fact: processes report
-- column: process text - - the process
-- part: main
-- title: I/Os by process
-- instead: files --by process
-- instead: popularity --of process
-- instead: popularity --of application
-- tally: process origin
-- key: process
-- fact: processes report
-- column: process text - - the process
-- part: all
-- include: by-class-columns
WITH item AS (
-- part: main
    SELECT process AS name, class, count, bytes FROM temp.tally_process
-- by: application
    SELECT application_of(process) AS name, class, count, bytes
    FROM temp.tally_process
    WHERE application_of(process) IS NOT NULL
-- by: issuer
    SELECT
        ifnull(iif(:by_pid IS NULL, a.name, thread_label(a.pid, a.pid, a.name)), '') AS name,
        t.class, t.count, t.bytes
    FROM temp.tally_issuer AS t
    LEFT JOIN main.actor AS a ON a.id = t.actor
-- part: by-pid
    SELECT ifnull(thread_label(a.pid, a.pid, a.name), '') AS name,
        t.class, t.count, t.bytes
    FROM temp.tally_actor AS t
    LEFT JOIN main.actor AS a ON a.id = t.actor
-- part: all
),
-- include: by-class
-- part: main by-pid
-- include: origin-remark
-- by: application
-- remark excluded
WITH thread AS (
    SELECT process, sum(count) AS count
    FROM temp.tally_process
    WHERE application_of(process) IS NULL
    GROUP BY process
    HAVING sum(count) > 0
)
SELECT printf('excluded: %s of %s (%s%s); shares are of the rest',
    counted(sum(count), 'I/O{s}'), counted(count(*), 'kernel thread{s}'),
    (SELECT group_concat(process, ', ')
        FROM (SELECT process FROM thread ORDER BY count DESC, process LIMIT 3)),
    iif(count(*) > 3, ', …', ''))
FROM thread
HAVING count(*) > 0;
-- remark
SELECT 'no process here has an application in the configuration (process_names)'
WHERE NOT EXISTS (
    SELECT 1 FROM temp.tally_process WHERE application_of(process) <> process
);
-- include: origin-remark
-- by: issuer
-- remark
SELECT counted(sum(count), 'I/O{ has|s have} no issue (D) in the log, counted for the process that queued {it|them}')
FROM temp.tally_origin
WHERE io_flag(origin, 'unissued')
HAVING sum(count) > 0;
