-- report: slowest
-- page: 30
-- question: Which single calls or I/Os took longest?
-- plot: none
-- tally: slowest
-- part: calls
-- title: Slowest calls
-- kinds: calls
-- window: begun
-- part: io
-- title: Slowest I/Os
-- kinds: io
-- part: spans
-- title: Slowest calls of functions
-- kinds: spans
-- part: states
-- title: Longest states of threads
-- kinds: states
-- part: io
-- fact: processes columns process
-- fact: sizes columns bytes
-- part: calls io
-- fact: files columns file
-- fact: times columns time
-- part: calls spans states
-- fact: threads columns thread
-- part: all
-- column: time time ns - start, since the start of the trace
-- column: duration duration ns less duration
-- part: calls spans states
-- column: what text - - name of the call or state
-- part: io
-- column: what text - - class of the I/O
-- column: sector int sectors - first sector of the I/O
-- column: bytes bytes bytes - bytes of the transfer
-- part: calls io
-- column: file path - - the file; none if unknown
-- part: calls spans states
-- column: thread text - - the thread
-- part: io
-- column: process text - - the process
-- part: all
-- column: trace text - if several - the trace
--
-- Longest first; ties by time.
SELECT
-- part: io
    s.time - s.duration,
    s.duration,
    io_class_name(s.class),
    s.address,
    s.size,
-- part: calls spans states
    s.time,
    s.duration,
    n.text,
-- part: calls io
    o.name,
-- part: io
    a.name,
-- part: calls spans states
    a.label,
-- part: all
    t.name
FROM temp.tally_slowest AS s
JOIN main.trace AS t ON t.id = s.trace
-- part: calls io
LEFT JOIN main.object AS o ON o.id = s.object
-- part: io
LEFT JOIN main.actor AS a ON a.id = s.actor
-- part: calls spans states
LEFT JOIN main.name AS n ON n.id = s.operation
LEFT JOIN temp.thread AS a ON a.id = s.actor
-- part: all
ORDER BY s.rank
LIMIT ifnull(:top, -1);
-- remark excluded
SELECT printf('excluded: %d of %d without a duration', untimed, count)
FROM temp.slowest_total
WHERE untimed > 0;
-- include: interrupted-remark
-- part: io
-- include: loss-remark
-- part: states
-- include: counted-state-remark
