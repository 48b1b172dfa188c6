-- report: timeline
-- title: Sectors over time
-- kinds: io
-- events: yes
-- plot: timeline-io
-- column: time time s
-- column: id integer
-- column: name text
--
-- A row an event of the counted action; `id` is the first sector, `name` the class of the I/O.
SELECT
    e.time,
    e.address AS id,
    io_class(e.flags) AS name
FROM temp.selected_event AS e;
