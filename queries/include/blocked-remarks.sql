-- remark
SELECT 'blocked: wall time less CPU time, in which the thread waited or was not given a processor';
-- remark
SELECT printf('%d calls were open at the end of the log and count until then%s', calls,
    ' (--open leave-out: without their times)')
FROM temp.open_part
WHERE calls > 0;
-- remark
SELECT printf('%d functions of a thread have more CPU time than wall time: the clocks are not as fine',
    count(*))
FROM (SELECT 1 FROM temp.tally_wait GROUP BY operation, actor HAVING sum(cpu_self) > sum(self))
HAVING count(*) > 0;
-- remark
SELECT printf('%d functions of a thread have no times: their calls are open, or lack one of the clocks',
    count(*))
FROM (SELECT 1 FROM temp.tally_wait GROUP BY operation, actor HAVING count(self) = 0)
HAVING count(*) > 0;
