-- report: syncs
-- question: What did each sync put on disk, and which syncs put nothing there?
-- title: Syncs, by time
-- kinds: calls
-- needs: flags=call
-- needs: object=file
-- needs: value=result
-- options: filesystem
-- tally: durability_syncs
-- plot: none
-- blank: file
-- compare: times key=name,result calls=syncs time=took alone
-- fact: times columns time
-- worth: name file took bytes result names thread time
-- column: time time s - start, since the start of the trace
-- column: thread text - - thread of the call
-- column: name text - - name in the log
-- column: file path - - the file or folder; none if unknown, or if the call is for all files
-- column: took duration ns less duration
-- column: bytes bytes bytes - bytes that the sync wrote to disk
-- column: names int - - names that the sync wrote to disk
-- column: result text - - on disk, nothing (there was nothing new), failed, no promise (the call guarantees nothing: sync_file_range, and msync of a part or without MS_SYNC) or not known
-- column: trace text - if several - the trace
-- column: syncs int if compare
--
-- Row per sync, by trace and time.
SELECT y.time, a.label AS thread, n.text AS name, o.name AS file, y.duration, y.bytes, y.names,
    CASE y.outcome WHEN 0 THEN 'on disk' WHEN 1 THEN 'nothing' WHEN 2 THEN 'failed' WHEN 3 THEN 'no promise'
        ELSE 'not known' END AS result, t.name AS trace, 1 AS syncs
FROM temp.durability_sync AS y
JOIN main.trace AS t ON t.id = y.trace
LEFT JOIN temp.thread AS a ON a.id = y.actor
LEFT JOIN main.name AS n ON n.id = y.operation
LEFT JOIN main.object AS o ON o.id = y.object
LIMIT ifnull(:rows, -1);
-- remark
SELECT printf('%d of %s had nothing to write (all data was on disk already)%s; %d failed',
    ifnull(sum(outcome = 1), 0), counted(count(*), 'sync{s}'),
    iif(sum(iif(outcome = 1, duration, 0)) > 0,
        printf(', which took %.9g of %.9g ms', sum_time(iif(outcome = 1, duration, 0)) / 1e6, sum_time(duration) / 1e6), ''),
    ifnull(sum(outcome = 2), 0))
FROM temp.durability_sync;
-- include: durability-remarks
