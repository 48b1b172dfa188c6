-- report: findings
-- title: syncs with nothing to write
-- kinds: calls
-- needs: object=file
-- needs: value=result
-- needs: flags=call
-- tally: durability_found call_operation thread_found
-- weight: weight unit
-- say: [{vain} of {syncs} {noun} had nothing to write][ and took {time} of {all_time}][; most often of {file}][not checked: {reason}; see report syncs]
-- look: report syncs
-- why: Such a sync may still flush the device, and the thread waits for it.
-- unless: Another process writes the file, or writes go through a mapping that the log does not show.
-- source: tracetool's own choice; no published threshold is known.
-- parameter: syncs-in-vain-share real 0.1 "share of syncs"
-- parameter: syncs-in-vain-count integer 10 "least number of such syncs"
-- column: fires int
-- column: value share
-- column: threshold share
-- column: weight share
-- column: unit text
-- column: vain int
-- column: syncs int
-- column: noun text
-- column: time duration
-- column: all_time duration
-- column: file path
-- column: reason text
WITH item AS (
    SELECT sum(syncs) AS syncs, sum(iif(outcome = 1, syncs, 0)) AS vain, sum_time(iif(outcome = 1, duration, NULL)) AS time,
        sum_time(duration) AS all_time
    FROM temp.durability_sync_count
),
-- include: durability-looked
, log AS (
    SELECT iif(EXISTS (SELECT 1 FROM main.meaning WHERE trace IN (SELECT trace FROM temp.selection) AND what = 'no times'),
            NULL, (SELECT nullif(max(last) - min(first), 0) FROM temp.thread_found)) AS time,
        (SELECT sum(calls) FROM temp.tally_call) AS calls
)
SELECT iif(k.has, 1.0 * i.vain / i.syncs > :syncs_in_vain_share AND i.vain >= :syncs_in_vain_count, NULL) AS fires,
    1.0 * i.vain / nullif(i.syncs, 0) AS value, :syncs_in_vain_share AS threshold,
    min(1.0, ifnull(1.0 * i.time / l.time, 1.0 * i.vain / l.calls)) AS weight,
    iif(i.time IS NULL OR l.time IS NULL, 'calls', 'time') AS unit, i.vain, i.syncs,
    iif(i.syncs = 1, 'sync', 'syncs') AS noun, i.time, i.all_time,
    (SELECT o.name FROM temp.durability_sync_count AS y JOIN main.object AS o ON o.id = y.object WHERE y.outcome = 1
        GROUP BY o.name ORDER BY sum(y.syncs) DESC, o.name LIMIT 1) AS file, k.reason
FROM item AS i, log AS l, looked AS k
WHERE k.has OR k.reason IS NOT NULL
