-- title: Time from issue to completion, by class
-- kinds: io
-- options: q2c
-- tally: latency
-- column: class text
-- key: class
-- include: percentiles-columns
-- include: curve-columns
-- column: part text if compare
-- compare: values group=part
WITH
-- include: classes
SELECT
    iif(:unsynchronous, replace(class.name, 'sync', ''), class.name),
    -- include: percentiles
    ,
    -- include: curve
    , d.name AS part
-- include: curve-from
JOIN class ON class.number = CAST(d.name AS INTEGER)
ORDER BY class.place, c.value;
-- include: percentiles-remark
-- include: latency-remark
-- remark
SELECT printf('synchronous: %d reads and writes count as plain: the other log does not tell', sum(count))
FROM temp.tally_latency
WHERE :unsynchronous AND class IN (io_class_number('readsync'), io_class_number('writesync'))
HAVING sum(count) > 0;
