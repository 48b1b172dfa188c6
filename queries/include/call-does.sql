-- Calls that open, read, write or flush a file, by name.
call_does (name, does) AS (VALUES
    ('open', 'open'), ('open64', 'open'), ('openat', 'open'), ('openat2', 'open'), ('creat', 'open'),
    ('read', 'read'), ('pread', 'read'), ('pread64', 'read'),
    ('readv', 'read'), ('preadv', 'read'), ('preadv2', 'read'),
    ('write', 'write'), ('pwrite', 'write'), ('pwrite64', 'write'),
    ('writev', 'write'), ('pwritev', 'write'), ('pwritev2', 'write'),
    ('fsync', 'fsync'), ('fdatasync', 'fsync')
)
