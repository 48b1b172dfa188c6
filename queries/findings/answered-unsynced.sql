-- report: findings
-- title: answers sent before their data were on disk
-- kinds: calls
-- needs: object=file
-- needs: value=result
-- needs: flags=call
-- tally: durability_found call_operation
-- weight: weight calls
-- say: [{early} of {answers} {noun} sent while the thread's latest writes were not on disk (only files that are synced at some time count)][; most often {file}][not checked: {reason}; see report durability --ack]
-- look: report durability --ack 'send*|write* of socket*|write* of TCP*|write* of UNIX*'
-- why: After a power cut the client has an answer, but its data are lost.
-- unless: The answer promises nothing, or another file has the same data on disk.
-- source: Any is a fault where the answer promises it, as of a database's commit; tracetool's own choice.
-- parameter: answered-unsynced-answers integer 1 "least number of such answers"
-- column: fires int
-- column: value int
-- column: threshold int
-- column: weight share
-- column: early int
-- column: answers int
-- column: noun text
-- column: file path
-- column: reason text
-- An answer is data sent on a socket on which data has arrived since. Files that are never synced
-- do not count.
WITH item AS (
    SELECT ifnull(sum(answers), 0) AS answers, ifnull(sum(early), 0) AS early, max(file) AS file FROM temp.durability_early
),
-- include: durability-looked
, log AS (
    SELECT sum(calls) AS calls FROM temp.tally_call
)
SELECT iif(k.has, i.early >= :answered_unsynced_answers, NULL) AS fires, iif(k.has, i.early, NULL) AS value,
    :answered_unsynced_answers AS threshold, 1.0 * i.early / nullif(l.calls, 0) AS weight, iif(k.has, i.early, NULL) AS early, i.answers,
    iif(i.answers = 1, 'answer to a request was', 'answers to requests were') AS noun,
    i.file, k.reason
FROM item AS i, log AS l, looked AS k
WHERE i.answers > 0 OR k.reason IS NOT NULL
