-- report: timeline
-- question: What happened when?
-- title: Sectors over time
-- kinds: io
-- needs: address=sector
-- events: yes
-- tally: size
-- plot: timeline-io
-- thin: time/1000 id/500 name
-- column: time time s - when it was, since the start of the trace; of an interval, when it begins
-- column: id number - - the number of the operation, or the first sector
-- column: name text - - what it is called in the log
--
-- A row an event of the counted action; `id` is the first sector, `name` the class of the I/O.
SELECT
    e.time,
    e.address AS id,
    io_class(e.flags) AS name
FROM temp.selected_event AS e
-- What carries no data has no place.
WHERE e.size IS NOT 0;
-- include: without-data
