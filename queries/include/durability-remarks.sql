-- remark definition
SELECT iif(:filesystem IN ('ext4', 'xfs', 'btrfs'),
    'by POSIX, and ' || :filesystem || ': a new file''s own fsync keeps its name',
    'by POSIX; --filesystem ext4: a new file''s own fsync keeps its name');
-- remark definition
SELECT 'taken to be on disk: what was there before the log; the device''s cache is taken to honour flushes';
-- remark definition
SELECT 'excluded: /dev, /proc, /sys, /run, pipes, sockets and memory';
