-- report: exposed
-- question: How much would a power cut have lost, over time?
-- title: Bytes at risk over time
-- kinds: calls
-- needs: flags=call
-- needs: object=file
-- needs: value=result
-- options: interval filesystem
-- tally: exposed
-- plot: exposed
-- fact: times report
-- worth: time most bytes files names
-- column: time time s - start of the interval, since the start of the trace
-- column: bytes real bytes less mean bytes written but not on disk
-- column: most bytes bytes less most bytes not on disk at any moment
-- column: files int - less largest number of files at a time with data not on disk
-- column: names int - less largest number of names at a time not on disk
--
-- Row per interval; all chosen traces are overlaid.
SELECT start AS time, bytes, most, files, names
FROM temp.exposed_interval
ORDER BY start;
-- remark
SELECT printf('most bytes not on disk at once: %s, in the interval that begins at %s s; --interval sets the length of an interval', counted(most, 'byte{s}'),
    rtrim(rtrim(printf('%.9f', start / 1e9), '0'), '.'))
FROM temp.exposed_interval
ORDER BY most DESC, start
LIMIT 1;
-- remark definition
SELECT 'intervals of ' || rtrim(rtrim(printf('%.9f', length / 1e9), '0'), '.') || ' s' FROM temp.exposed_interval LIMIT 1;
-- include: durability-remarks
