-- report: argsize
-- title: Sizes of arguments
-- kinds: calls spans
-- instead: iosize
-- tally: size operation
-- include: sizes
-- remark
SELECT 'excluded: ' || (called.count - sized.count) || ' of ' || called.count || ' calls without a size'
FROM (SELECT sum(count) AS count FROM temp.tally_operation) AS called,
    (SELECT ifnull(sum(count), 0) AS count FROM temp.tally_size) AS sized
WHERE called.count > sized.count;
