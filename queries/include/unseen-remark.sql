-- remark
-- Out of temp.tally_call.
SELECT printf('%d calls of io_uring or libaio: what they read and write is not in the log', sum(t.calls))
FROM temp.tally_call AS t
JOIN main.name AS n ON n.id = t.operation
WHERE n.text IN ('io_uring_enter', 'io_submit')
HAVING sum(t.calls) > 0;
