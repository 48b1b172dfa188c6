-- report: durability
-- page: 53
-- question: What would a power cut have lost?
-- title: What was on disk, by file
-- kinds: calls
-- needs: object=file
-- needs: value=result
-- needs: flags=call
-- options: at filesystem
-- tally: durability
-- plot: none
-- prose: state
-- worth: state exposed synced_after written longest last_write
-- column: file path - - the file or folder; none for descriptors of unknown files
-- column: written bytes bytes - bytes written
-- column: last_write time s - time of the last write, since the start of the trace
-- column: synced_after duration ns less time from then to the end of a sync that covers it
-- column: exposed duration ns less time that some of it was not on disk
-- column: longest duration ns less the longest time from a write to the end of its sync
-- column: state text - - durable, data exposed, name exposed, replaced by an unsynced file, unknown, lost or removed, and why
-- key: file
-- blank: file
-- compare: rows key=file,state value=written,exposed,longest alone
--
-- Row per name that was written, created, linked, renamed or removed, as of the end of the log or
-- of --at. The reasons of verdicts follow.
WITH
-- include: durability-words
SELECT f.file, f.written, f.last_write, f.synced_after, f.exposed, f.longest,
    w.text || ifnull(' (' || r.text || ')', '')
        || iif(f.state IN (1, 3, 4, 5), ifnull('; name exposed (' || n.text || ')', ''), '')
FROM temp.durability_file AS f
CROSS JOIN words AS w ON w.state = f.state
LEFT JOIN reasons AS r ON r.reason = f.reason
LEFT JOIN reasons AS n ON n.reason = f.name
ORDER BY w.place, f.bytes DESC, f.file
LIMIT ifnull(:rows, -1);
-- remark
WITH counted AS (
    SELECT ifnull(sum(state = 0), 0) AS durable, ifnull(sum(state IN (1, 3)), 0) AS data,
        ifnull(sum(state = 2), 0) AS names, ifnull(sum(state = 4), 0) AS unknown, ifnull(sum(state = 5), 0) AS lost,
        ifnull(sum(state = 6), 0) AS removed, max(longest) AS longest
    FROM temp.durability_file
),
at_risk AS (
    SELECT ifnull(sum(bytes), 0) AS bytes FROM (SELECT max(trace_bytes) AS bytes FROM temp.durability_file GROUP BY trace)
),
syncs AS (
    SELECT count(*) AS vain, sum_time(duration) AS time FROM temp.durability_sync WHERE outcome = 1
)
SELECT printf('%d durable, %d with data not synced, %d with names not synced, %d unknown, %d with a failed sync, %d removed;'
    || ' %d bytes not on disk%s; %d syncs of nothing%s',
    durable, data, names, unknown, lost, removed, bytes,
    iif(longest > 0, '; longest exposure ' || people(longest, 'duration', 'ns'), ''), vain,
    iif(time > 0, ' (' || people(time, 'duration', 'ns') || ')', ''))
FROM counted, at_risk, syncs;
-- include: durability-doubts
-- include: durability-remarks
