-- report: blocked
-- page: 20
-- question: In which threads and functions is time spent waiting?
-- kinds: spans
-- instead: waits
-- clocks: both
-- tally: wait
-- order: blocked_self
-- worth: blocked_self share wall_self calls cpu_self
-- compare: times calls=calls time=blocked_self
-- part: per-thread
-- title: Time blocked, by thread
-- when: per-thread
-- key: thread
-- part: main
-- title: Time blocked, by thread and function
-- key: thread name
-- part: all
-- column: thread text - - the thread
-- part: main
-- column: name text - - name in the log
-- part: all
-- column: calls int - - number of calls
-- column: wall_self duration ns less wall-clock time in the function itself
-- column: cpu_self duration ns less CPU time in the function itself
-- column: blocked_self duration ns less time that the thread waited in the function itself: wall-clock time minus CPU time
-- column: share share fraction - share of all
-- part: main
-- column: blocked_total duration ns less time that the thread waited in the function and in its callees
-- part: all
WITH counted AS MATERIALIZED (
    SELECT
        a.tid,
        a.label AS thread,
-- part: main
        n.text AS name,
        n.code,
-- part: all
    -- Aggregates of temp.tally_wait AS t.
    sum(t.calls) AS calls,
    sum_time(t.self) AS self,
    sum_time(t.cpu_self) AS cpu_self,
    sum_time(t.total) AS total,
    sum_time(t.cpu_total) AS cpu_total
    FROM temp.tally_wait AS t
-- part: main
    LEFT JOIN temp.merged_operation AS m ON m.id = t.operation
    JOIN main.name AS n ON n.id = ifnull(m.merged, t.operation)
    JOIN temp.thread AS a ON a.id = t.actor
    GROUP BY a.tid, a.label, n.kind, n.text, n.code
)
SELECT
    thread,
    name,
-- part: per-thread
    JOIN temp.thread AS a ON a.id = t.actor
    GROUP BY a.tid, a.label
)
SELECT
    thread,
-- part: all
    -- Result columns, from `counted`.
    calls,
    self,
    cpu_self,
    self - cpu_self AS blocked_self,
    (self - cpu_self) / nullif((SELECT total(self - cpu_self) FROM counted), 0.0) AS share
-- part: main
    , total - cpu_total AS blocked_total
FROM counted
ORDER BY blocked_self DESC, tid, thread, name, code
-- part: per-thread
FROM counted
ORDER BY blocked_self DESC, tid, thread
-- part: all
LIMIT ifnull(:rows, -1);
-- remark definition
SELECT 'blocked: wall time minus CPU time, in which the thread waited or was not scheduled';
-- remark loss
SELECT printf('open at the end of the log: %s, with the time until then%s', counted(calls, 'call{s}'),
    ' (--open leave-out excludes these times)')
FROM temp.open_part
WHERE calls > 0;
-- remark
SELECT printf('more CPU time than wall time (clock resolution): %s, counted for each thread',
    counted(count(*), 'function{s}'))
FROM (SELECT 1 FROM temp.tally_wait GROUP BY operation, actor HAVING sum(cpu_self) > sum(self))
HAVING count(*) > 0;
-- remark excluded
SELECT printf('no times: %s, counted for each thread; their calls are open, or lack one of the clocks',
    counted(count(*), 'function{s}'))
FROM (SELECT 1 FROM temp.tally_wait GROUP BY operation, actor HAVING count(self) = 0)
HAVING count(*) > 0;
