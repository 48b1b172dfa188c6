-- report: durability
-- when: ack or ack-op or ack-file
-- question: What was not on disk when the program answered somebody?
-- title: Answers given with something not on disk, the worst first
-- kinds: calls
-- needs: flags=call
-- needs: object=file
-- needs: value=result
-- options: ack ack-op ack-file filesystem
-- tally: durability_answers
-- plot: none
-- blank: file
-- worth: time bytes files names name file thread
-- column: time time s - start of the answer, since the start of the trace
-- column: thread text - - thread that gave the answer
-- column: name text - - name of the call in the log
-- column: file path - - file or stream of the answer; none if unknown
-- column: bytes bytes bytes less bytes written but not on disk
-- column: files int - less number of files
-- column: names int - less names not on disk
-- column: trace text - if several - the trace
--
-- The worst rows: ten, or as many as --top.
SELECT w.time, a.label AS thread, n.text AS name, o.name AS file, w.bytes, w.files, w.names, t.name
FROM temp.durability_answer AS w
JOIN main.trace AS t ON t.id = w.trace
LEFT JOIN temp.thread AS a ON a.id = w.actor
LEFT JOIN main.name AS n ON n.id = w.operation
LEFT JOIN main.object AS o ON o.id = w.object
ORDER BY w.bytes DESC, w.files DESC, w.names DESC, w.time, w.trace
LIMIT ifnull(:rows, 10);
-- remark
SELECT iif(answers = 0, 'no answers: no selected call has the name and file of --ack',
    printf('%d of %s given while written data was not yet on disk, %d while data or names of files were not', with_data,
        counted(answers, 'answer{ was|s were}'), with_any))
FROM temp.durability_answered;
-- remark
SELECT printf('%d of %s sent while the thread''s latest writes were not on disk (only files that are synced at some time count)',
    sum(early), counted(sum(answers), 'answer{ to a request was|s to requests were}'))
FROM temp.durability_early
HAVING sum(answers) > 0;
-- include: durability-remarks
