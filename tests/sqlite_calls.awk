# Prints strace lines of SQLite 3.40 inserting three rows of 100 bytes, each in its own transaction, with full
# flushes: a journal of two pages, or a write-ahead log of one frame each.
#
#     awk -v mode=DELETE|TRUNCATE|PERSIST|WAL -f sqlite_calls.awk
function call(text) {
    printf "71 1795303426.%06d %s <0.000005>\n", time += 10, text
}

function open_file(descriptor, name) {
    call("openat(AT_FDCWD, \"" name "\", O_RDWR|O_CREAT|O_NOFOLLOW|O_CLOEXEC, 0644) = " descriptor)
}

function put(descriptor, at, size) {
    call("pwrite64(" descriptor ", \"\\0\"..., " size ", " at ") = " size)
}

function flush(descriptor) {
    call("fdatasync(" descriptor ") = 0")
}

function lock(descriptor, type) {
    call("fcntl(" descriptor ", F_SETLK, {l_type=" type ", l_whence=SEEK_SET, l_start=120, l_len=1}) = 0")
}

# Writes a page to the journal at `at`: its number, the page, a checksum.
function page(at) {
    put(4, at, 4)
    put(4, at + 4, 4096)
    put(4, at + 4100, 4)
}

function insert_with_journal() {
    lock(3, "F_WRLCK")
    open_file(4, "/data/a.db-journal")
    put(4, 0, 512)
    page(512)
    page(4616)
    flush(4)
    put(4, 0, 12)
    flush(4)
    put(3, 0, 4096)
    put(3, 4096, 4096)
    flush(3)
    if (mode == "TRUNCATE") { call("ftruncate(4, 0) = 0"); flush(4) }
    if (mode == "PERSIST") { put(4, 0, 28); flush(4) }
    call("close(4) = 0")
    if (mode == "DELETE") call("unlink(\"/data/a.db-journal\") = 0")
    lock(3, "F_UNLCK")
}

function insert_with_log(number) {
    lock(5, "F_WRLCK")
    if (number == 0) { put(4, 0, 32); flush(4) }
    put(4, 32 + number * 4120, 24)
    put(4, 56 + number * 4120, 4096)
    flush(4)
    lock(5, "F_UNLCK")
}

BEGIN {
    call("execve(\"/usr/bin/sqlite3\", [\"sqlite3\"], 0x7ffc0 /* 3 vars */) = 0")
    open_file(3, "/data/a.db")
    call("newfstatat(AT_FDCWD, \"/data/a.db-wal\", 0x7ffc1, 0) = -1 ENOENT (No such file or directory)")
    if (mode == "WAL") {
        open_file(4, "/data/a.db-wal")
        open_file(5, "/data/a.db-shm")
        put(5, 32767, 1)
    }
    for (i = 0; i < 3; i++) {
        if (mode == "WAL") insert_with_log(i); else insert_with_journal()
    }
    if (mode == "WAL") {
        flush(4)
        put(3, 4096, 4096)
        flush(3)
        call("unlink(\"/data/a.db-wal\") = 0")
    }
    print "71 1795303427.000000 +++ exited with 0 +++"
}
