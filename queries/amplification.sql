-- report: amplification
-- page: 52
-- question: What does SQLite write and sync for each transaction?
-- title: What SQLite writes for its transactions
-- kinds: calls
-- needs: object=file
-- needs: size=transfer
-- needs: value=result
-- parameter: payload integer 0 "bytes that the application has written in each transaction, for the first ratio"
-- tally: sqlite
-- plot: amplification
-- worth: ratio bytes_transaction bytes syncs sync_time transactions writes
-- column: database path - - the file of the database
-- column: mode text - - journal mode of the database
-- column: level text - - what is counted: transactions, writes to the database, to its log and so on
-- column: transactions int - - number of transactions
-- column: writes int - - number of writes
-- column: bytes bytes bytes - number of bytes
-- column: syncs int - - number of syncs
-- column: sync_time duration ns less time that flushes took
-- column: bytes_transaction real bytes - bytes per transaction
-- column: ratio real - - multiple of the reference, or of the level below
-- column: p50 duration ns less median: smallest value that half of the values do not exceed
-- column: p99 duration ns less smallest value that 99 % of the values do not exceed
-- key: database mode level
-- compare: rows
--
-- Levels, from the application downwards: payload, database files, all files, and completed block
-- I/Os. Block I/Os need a trace of the same study with files. `ratio` compares the bytes of a level
-- to those of the level above (payload, all files, blocks).
WITH ended AS MATERIALIZED (
    SELECT database, mode, count(*) AS transactions,
        quantile("end" - begin, 0.5) AS p50, quantile("end" - begin, 0.99) AS p99
    FROM temp.database_transaction
    GROUP BY database, mode
),
part AS MATERIALIZED (
    SELECT p.database, p.mode, p.part, ifnull(e.transactions, 0) AS transactions,
        sum(p.writes) AS writes, sum_time(p.bytes) AS bytes, sum(p.syncs) AS syncs,
        sum_time(p.sync_time) AS sync_time, e.p50, e.p99
    FROM temp.database_part AS p
    LEFT JOIN ended AS e ON e.database = p.database AND e.mode = p.mode
    GROUP BY p.database, p.mode, p.part
),
whole AS MATERIALIZED (
    SELECT database, mode, transactions, sum(writes) AS writes, sum_time(bytes) AS bytes,
        sum(syncs) AS syncs, sum_time(sync_time) AS sync_time, p50, p99
    FROM part
    WHERE part <> 'shm' -- rebuilt from the log if lost
    GROUP BY database, mode
),
-- Block I/Os do not show the journal mode of the write.
blocks AS MATERIALIZED (
    SELECT w.database, w.transactions, w.bytes AS above,
        -- An I/O on several files counts once; each file has the bytes of its own blocks.
        sum(ifnull(p.number, 0) = 0) AS writes, sum_time(ifnull(p.bytes, e.size)) AS bytes
    FROM (SELECT database, sum(transactions) AS transactions, sum_time(bytes) AS bytes
        FROM whole GROUP BY database) AS w
    CROSS JOIN (
        SELECT DISTINCT b.id FROM temp.selection AS s
        CROSS JOIN main.trace AS t ON t.id = s.trace
        CROSS JOIN main.trace AS b ON b.study = t.study AND b.kind = 'io') AS b
    CROSS JOIN main.object AS o ON o.trace = b.id AND o.name IN (w.database,
        w.database || '-journal', w.database || '-wal', w.database || '-shm')
    CROSS JOIN main.trace AS t ON t.id = b.id
    CROSS JOIN main.event AS e ON e.id BETWEEN t.first_event AND t.last_event
    LEFT JOIN main.io_part AS p ON p.event = e.id
    CROSS JOIN main.name AS n ON n.id = e.operation AND n.kind = 'action' AND n.text = 'C'
    WHERE io_class(e.flags) IN ('write', 'writesync')
        AND o.id = iif(p.event IS NULL, e.object, p.object)
    GROUP BY w.database
),
item (database, mode, place, level, transactions, writes, bytes, syncs, sync_time, ratio, p50, p99) AS (
    SELECT database, mode, 0, 'payload', transactions, NULL,
        min(transactions * :payload, 9223372036854775807), NULL, NULL, NULL,
        NULL, NULL
    FROM whole WHERE :payload > 0 AND transactions > 0
    UNION ALL SELECT database, mode, 1, part, transactions, writes, bytes, syncs, sync_time, NULL, NULL,
        NULL
    FROM part
    UNION ALL SELECT database, mode, 2, 'all files', transactions, writes, bytes, syncs, sync_time,
        1.0 * bytes / nullif(transactions * :payload, 0), p50, p99
    FROM whole
    UNION ALL SELECT database, NULL, 3, 'blocks', transactions, writes, bytes, NULL, NULL,
        1.0 * bytes / nullif(above, 0), NULL, NULL
    FROM blocks
)
SELECT database, mode, level, transactions, writes, bytes, syncs, iif(syncs = 0, 0, sync_time),
    1.0 * bytes / nullif(transactions, 0) AS bytes_transaction, ratio, p50, p99
FROM item
ORDER BY database, mode IS NULL, mode, place, bytes DESC, level
LIMIT ifnull(:rows, -1);
-- remark
SELECT printf('%s: %s', mode,
    counted(sum(rolled_back), 'transaction{s} rolled back; {its|their} writes count, too'))
FROM (SELECT database, mode, max(rolled_back) AS rolled_back FROM temp.database_part
    GROUP BY trace, database, mode)
GROUP BY mode
HAVING sum(rolled_back) > 0;
-- remark
SELECT counted(sum(checkpoints), 'checkpoint{s} moved the write-ahead log to the database')
FROM (SELECT max(checkpoints) AS checkpoints FROM temp.database_part GROUP BY trace, database, mode)
HAVING sum(checkpoints) > 0;
-- remark definition
SELECT 'rows of blocks count the whole trace of block I/O: filters on system calls do not apply to them'
WHERE EXISTS (
    SELECT 1 FROM temp.selection AS s
    CROSS JOIN main.trace AS t ON t.id = s.trace
    CROSS JOIN main.trace AS b ON b.study = t.study AND b.kind = 'io'
    WHERE s.filtered OR s.first_event <> t.first_event OR s.last_event <> t.last_event
);
-- remark definition
SELECT 'writes to the -shm file go through mapped memory, which a log of system calls cannot show'
WHERE EXISTS (SELECT 1 FROM temp.database_part WHERE mode = 'WAL');
-- remark
SELECT 'no SQLite database found: no file is named like another file with -journal, -wal or -shm appended'
WHERE NOT EXISTS (SELECT 1 FROM temp.database_part);
