-- report: heatmap
-- page: picture
-- question: How do latencies, sizes or addresses change over time?
-- fact: times report
-- options: interval
-- part: calls
-- title: Times of calls, over time
-- kinds: calls spans
-- when: of = latency by default
-- tally: heatmap
-- Row per non-empty cell of time and duration, with the start of both. A call belongs to the cell
-- of its start.
-- part: states
-- title: Times of states of threads, over time
-- kinds: states
-- when: of = latency by default
-- tally: heatmap
-- Row per cell of time and duration in which a state begins, with the start of both.
-- part: operation
-- title: Operations over time, by number of calls
-- kinds: calls spans
-- when: of = operation
-- tally: rate_operation
-- plot: timeline-names
-- Row per interval and operation with calls that begin in it. `id` is the operation's number (the
-- trap), if it has one. Operations are merged as in popularity. `rank` is by the number of calls
-- over all intervals; all from the hundredth on share a rank.
-- part: sector
-- title: Sectors over time, by number of I/Os
-- kinds: io
-- needs: address=sector
-- when: of = sector
-- tally: heatmap_sector
-- plot: heatmap-sector
-- Row per cell of time and sectors in which an I/O begins, with the start of both. I/Os without
-- data have no position.
-- part: io
-- title: Time from issue to completion, over time
-- kinds: io
-- when: of = latency by default
-- tally: heatmap
-- Row per non-empty cell of time and latency, with the start of both.
-- part: all
-- column: time time s - time since the start of the trace; for an interval, its start
-- part: calls io states
-- column: latency duration ns less latency, in twenty classes per power of ten
-- column: count int - - number of events, or of references, in the row
-- column: column number if picture
-- column: row number if picture
-- column: length time s if picture
-- part: operation
-- column: id number - - the number of the operation, or the first sector
-- column: operation text - - the operation, such as a system call or a function
-- column: count int - - number of events, or of references, in the row
-- column: rank number if picture
-- column: length time s if picture
-- part: sector
-- column: sector number - - the first sector of the cell
-- column: count int - - number of events, or of references, in the row
-- column: column number if picture
-- column: row number if picture
-- column: length time s if picture
-- column: sectors number if picture
-- part: calls io states
--
SELECT h.time, h."from", h.count, h."column", h.row, g.length
-- part: sector
SELECT h.time, h."from", h.count, h."column", h.row, g.length, g.sectors
-- part: calls sector io states
FROM temp.tally_heatmap AS h
CROSS JOIN temp.heatmap_grid AS g
ORDER BY h.time, h."from", h.row
-- part: operation
WITH
counted AS MATERIALIZED (
    SELECT r.interval, n.code, n.text, sum(r.count) AS count
    FROM temp.tally_rate AS r
    LEFT JOIN temp.merged_operation AS m ON m.id = r."group"
    JOIN main.name AS n ON n.id = ifnull(m.merged, r."group")
    GROUP BY r.interval, n.text, n.code
),
ranked AS MATERIALIZED (
    SELECT interval, code, text, count, min(100, dense_rank() OVER (ORDER BY total DESC, text, code)) AS rank
    FROM (SELECT *, sum(count) OVER (PARTITION BY text, code) AS total FROM counted)
)
SELECT i.start, c.code, c.text, c.count, c.rank, i.length
-- By rowid: SQLite builds no index on results of window functions.
FROM ranked AS c
JOIN temp.rate_interval AS i ON i.rowid = c.interval + 1
ORDER BY i.start, c.code, c.text
-- part: all
LIMIT ifnull(:top, -1);
-- remark definition
WITH
-- include: rate-second
-- part: calls sector io states
SELECT printf('cells: intervals of %s from the start of %s, by %s; empty cells excluded',
-- part: operation
SELECT printf('cells: intervals of %s from the start of %s; empty cells excluded',
-- part: all
    iif(second IS NULL, counted(length, 'unit{s}'), rtrim(rtrim(printf('%.9f', length / second), '0'), '.') || ' s'),
    iif((SELECT count(*) FROM temp.selection) > 1, 'each trace (traces overlaid)', 'the trace')
-- part: operation
    )
FROM temp.rate_interval
CROSS JOIN clock
LIMIT 1;
-- part: calls sector io states
    , iif(sectors > 0, 'rows of ' || counted(sectors, 'sector{s}'), '20 rows per power of ten'))
FROM temp.heatmap_grid
CROSS JOIN clock
WHERE intervals > 0;
-- remark excluded
-- part: calls
SELECT 'no duration: ' || counted(left_out, 'call{s}') FROM temp.heatmap_grid WHERE left_out > 0;
-- part: states
SELECT 'no end: ' || counted(left_out, 'state{s}') FROM temp.heatmap_grid WHERE left_out > 0;
-- part: sector
SELECT 'no sector: ' || counted(left_out, 'I/O{s}') FROM temp.heatmap_grid WHERE left_out > 0;
-- part: io
SELECT counted(left_out, 'I/O{ has|s have} no latency: ')
    || iif(EXISTS (SELECT 1 FROM temp.selection AS s JOIN main.name AS n ON n.id = s.action WHERE n.text = 'C'),
        'no issue (D) in the log, no data, or completed in parts',
        iif(EXISTS (SELECT 1 FROM temp.selection AS s JOIN main.name AS n ON n.trace = s.trace WHERE n.kind = 'action' AND n.text = 'C'),
            'only a completion (C) has one, and none is counted', 'the log has no completions (C)'))
FROM temp.heatmap_grid
WHERE left_out > 0;
-- include: loss-remark
-- part: states
-- include: counted-state-remark
