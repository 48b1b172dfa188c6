-- remark definition
SELECT iif(:filesystem IN ('ext4', 'xfs', 'btrfs'),
    'rules of POSIX and ' || :filesystem || ': an fsync of a new file also keeps its name',
    'rules of POSIX; with --filesystem ext4, an fsync of a new file also keeps its name');
-- remark definition
SELECT 'assumed: data written before ' || iif(EXISTS (
        SELECT 1 FROM temp.selection AS s CROSS JOIN main.trace AS t ON t.id = s.trace WHERE s.first_event > t.first_event
    ), '--from', 'the log began') || ' is on disk, and a flush empties the device''s cache';
-- remark definition
SELECT 'excluded: files in /dev, /proc, /sys and /run, pipes, sockets, memfds and shared memory';
