-- report: findings
-- title: renamed without a sync
-- kinds: calls
-- needs: object=file
-- needs: value=result
-- needs: flags=call
-- tally: durability_found call_operation file_transfer
-- weight: weight bytes
-- say: [{files} {noun} renamed before the data written to {them} was synced, {bytes} of {all_bytes} written; {most} of it in {file}][not checked: {reason}; see report durability]
-- look: report durability
-- why: After a power cut the new name may lead to a file without its data, and the old file is gone; each name counts once, by its last save in the log.
-- unless: The file can be made again, or the file system is known to write the data before the rename.
-- source: POSIX: rename(2) orders nothing; Pillai et al., All File Systems Are Not Created Equal (OSDI 2014), found it to be the most frequent fault.
-- parameter: renamed-unsynced-files integer 1 "least number of such files"
-- column: fires int
-- column: value int
-- column: threshold int
-- column: weight share
-- column: files int
-- column: noun text
-- column: them text
-- column: bytes bytes
-- column: all_bytes bytes
-- column: most bytes
-- column: file path
-- column: reason text
WITH item AS (
    SELECT ifnull(sum(state = 3), 0) AS files, sum_time(iif(state = 3, replaced_bytes, 0)) AS bytes,
        max(iif(state = 3, replaced_bytes, 0)) AS most,
        (SELECT nullif(sum_time(t.bytes_written), 0) FROM temp.tally_file_locality AS t
            LEFT JOIN main.object AS o ON o.id = t.object
            WHERE o.id IS NULL OR descriptor_wait(o.name, o.type) = 'file') AS all_bytes
    FROM temp.durability_file
),
-- include: durability-looked
, renames AS (
    SELECT EXISTS (SELECT 1 FROM temp.tally_call AS c CROSS JOIN main.name AS n ON n.id = c.operation
        AND c.calls > 0 AND n.text IN ('rename', 'renameat', 'renameat2')) AS some
)
SELECT iif(l.has, i.files >= :renamed_unsynced_files, NULL) AS fires, iif(l.has, i.files, NULL) AS value,
    :renamed_unsynced_files AS threshold, min(1.0, 1.0 * i.bytes / i.all_bytes) AS weight, iif(l.has, i.files, NULL) AS files,
    iif(i.files = 1, 'file was', 'files were') AS noun, iif(i.files = 1, 'it', 'them') AS them,
    i.bytes, i.all_bytes, i.most,
    (SELECT file FROM temp.durability_file WHERE state = 3 ORDER BY replaced_bytes DESC, file LIMIT 1) AS file,
    iif(l.syncs, l.reason, 'files are renamed, but the log has no sync') AS reason
FROM item AS i, looked AS l, renames AS r
WHERE l.has OR l.reason IS NOT NULL OR r.some
