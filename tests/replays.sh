#!/bin/bash
# Exports for replays of system calls: MobiGen's scripts are as Mobibench demands them (a checker of our own),
# and a log, its script and the script imported again agree in threads, calls by kind and bytes; fio's I/O
# logs of calls have what the log transfers where.
#
#     [SHARED=FOLDER] BUILD=build tests/replays.sh
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

export_log() {
    expect "export as $1" tracetool -d log.db export log --as "$1" -o "$2" "${@:3}" 2>said.txt
}

# told REASON: how often it was said.
told() {
    awk -v reason="$1" -F': ' '$0 ~ reason { split($1, words, " "); n += words[4] } END { print n + 0 }' said.txt
}

# Calls by kind and their bytes out of log.db, by SQL: what succeeded, on files. Where no name is known,
# standard input, output and error (0 to 2) are none.
wanted_calls() {
    sqlite3 -readonly -tabs "$1" "WITH word(call, kind) AS (VALUES ('open', 'open'), ('openat', 'open'),
            ('creat', 'open'), ('openat2', 'open'), ('close', 'close'), ('read', 'read'), ('readv', 'read'),
            ('write', 'write'), ('writev', 'write'), ('pread', 'pread'), ('pread64', 'pread'),
            ('pwrite', 'pwrite'), ('pwrite64', 'pwrite'), ('fsync', 'fsync'), ('fdatasync', 'fdatasync'),
            ('access', 'access'), ('faccessat', 'access'), ('faccessat2', 'access'), ('stat', 'stat64'),
            ('stat64', 'stat64'), ('newfstatat', 'stat64'), ('statx', 'stat64'), ('lstat', 'lstat64'),
            ('lstat64', 'lstat64'), ('unlink', 'unlink'), ('unlinkat', 'unlink')), done AS (
        SELECT word.kind, value, o.name AS file, coalesce(CAST(e.arguments AS TEXT), '') AS arguments
        FROM event e JOIN name n ON n.id = e.operation JOIN word ON call = n.text
            JOIN actor a ON a.id = e.actor LEFT JOIN object o ON o.id = e.object WHERE value >= 0
            AND NOT (word.kind LIKE 'p%' AND e.address >= 1 << 31))
        SELECT kind, count(*), sum(iif(kind IN ('read', 'write', 'pread', 'pwrite'), value, 0)) FROM done
        WHERE iif(file IS NULL, kind = 'open' OR kind NOT IN ('access', 'stat64', 'lstat64', 'unlink') AND ( CAST(arguments AS INTEGER) > 2 OR arguments GLOB '0x[3-9a-f]*'
                OR arguments GLOB '0x[0-9a-f][0-9a-f]*'),
            file NOT IN ('pipe', 'socket') AND file NOT GLOB '/dev/*' AND file NOT GLOB 'dev/*'
            AND file NOT GLOB '[^/]*:[[]*') AND arguments NOT GLOB '*AT_REMOVEDIR*'
        GROUP BY kind ORDER BY kind"
}

# agree WHAT: the trace in log.db, its script, and the script imported again. Where descriptors were opened
# is told, and closes of what a thread did not use.
agree() {
    local opened closed

    export_log mobigen out.script
    if ! python3 "$tests/mobibench_script.py" out.script >script.tsv 2>err.txt; then
        fail "$1: what Mobibench demands" err.txt
        return
    fi
    opened=$(told 'where descriptors were opened')
    closed=$(told 'closes of descriptors')
    wanted_calls log.db >wanted.tsv
    grep -v '^threads' script.tsv | awk -F'\t' -v OFS='\t' -v opened="$opened" -v closed="$closed" '
        $1 == "open" { $2 -= opened } $1 == "close" { $2 += closed; closed = 0 } $2 > 0
        END { if (closed) print "close", closed, 0 }' | sort >got.tsv
    check "$1: calls by kind, and bytes" wanted.tsv got.tsv
    rm -f again.db
    [ -s out.script ] || return
    expect "$1: the script is MobiGen's" tracetool -q -d again.db import -n again out.script
    {
        sqlite3 -readonly -tabs again.db "SELECT 'threads', count(*), 0 FROM actor"
        sqlite3 -readonly -tabs again.db "SELECT text, count(*), coalesce(sum(size), 0) FROM event e
            JOIN name n ON n.id = e.operation GROUP BY 1 ORDER BY 1"
    } >again.tsv
    check "$1: the script imported again" script.tsv again.tsv
    expect "$1: every descriptor leads to a file" [ -z "$(sqlite3 -readonly again.db 'SELECT text FROM remark')" ]
    export_log mobigen real.script --real-paths
    expect "$1: with real paths" python3 "$tests/mobibench_script.py" real.script --real-paths >real.tsv
    awk -F'\t' '$1 != "open"' script.tsv >wanted.tsv
    awk -F'\t' '$1 != "open"' real.tsv >got.tsv
    check "$1: with real paths" wanted.tsv got.tsv
}

# By hand: a thread that another one opens for, a dup, a descriptor from before, a failed call, a pipe, a path
# that does not fit, an offset that does not.
by_hand() {
    cat >hand.strace <<'END'
10  1700000000.000000 openat(AT_FDCWD, "/data/a.db", O_RDWR|O_CREAT, 0600) = 3
10  1700000000.000050 clone(child_stack=0x7f, flags=CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_SIGHAND|CLONE_THREAD) = 11
10  1700000000.000100 write(3, "abc"..., 100) = 100
10  1700000000.000200 open("/none", O_RDONLY) = -1 ENOENT (No such file or directory)
11  1700000000.000300 pread64(3, ""..., 50, 4096) = 50
11  1700000000.000400 pwrite64(3, ""..., 60, 0) = 60
10  1700000000.000500 pwrite64(3, ""..., 10, 2147483648) = 10
10  1700000000.000600 close(3) = 0
10  1700000000.000700 openat(AT_FDCWD, "/data/a b.jpg", O_RDONLY) = 3
10  1700000000.000800 read(3, ""..., 4096) = 4096
10  1700000000.000900 read(7, ""..., 10) = 10
10  1700000000.001000 write(1, "hello", 5) = 5
10  1700000000.001100 pipe2([8, 9], 0) = 0
10  1700000000.001200 write(9, "x", 1) = 1
10  1700000000.001300 access("/data/a.db", F_OK) = 0
10  1700000000.001400 unlink("/data/a.db") = 0
10  1700000000.001500 close(3) = 0
10  1700000000.001600 fsync(7) = 0
11  1700000000.001700 close(3) = 0
END
    import_as log.db hand.strace
    export_log mobigen out.script
    cat >wanted.txt <<'END'
0 0 open unknown.2 O_RDWR|O_CREAT 2
0 0 open replay.0 O_RDWR|O_CREAT 1
0 100 write 1 100
0 600 close 1 0
0 700 open replay.2 O_RDONLY 1
0 800 read 1 4096
0 900 read 2 10
0 1300 access "/nonexistent/replay.0" 0
0 1400 unlink "/nonexistent/replay.0" 0
0 1500 close 1 0
0 1600 fsync 2 0
1 0 open replay.0 O_RDWR|O_CREAT 3
1 300 pread 3 4096 50
1 400 pwrite 3 0 60
1 1700 close 3 0
END
    check "by hand" wanted.txt out.script
    cat >wanted.txt <<'END'
exported as mobigen: 13 of the trace's events
  not in it, 2 times: calls that the format has no word for
  not in it, 1 times: calls that failed
  not in it, 1 times: reads and writes beyond 2 GiB of a file, or of as much at once
  not in it, 2 times: where descriptors were opened, before the log or in another thread: at time 0
  not in it, 1 times: calls on standard input, output and error
  not in it, 1 times: calls on sockets, pipes and devices
END
    check "what is left out is told" wanted.txt said.txt
    export_log mobigen out.script --real-paths
    cat >wanted.txt <<'END'
0 0 open unknown.2 O_RDONLY 2
0 0 open "/data/a.db" O_RDWR|O_CREAT 1
0 100 write 1 100
0 600 close 1 0
0 700 open replay.2 O_RDONLY 1
0 800 read 1 4096
0 900 read 2 10
0 1300 access "/data/a.db" 0
0 1400 unlink "/data/a.db" 0
0 1500 close 1 0
0 1600 fsync 2 0
1 0 open "/data/a.db" O_RDONLY 3
1 0 open "/data/a.db" O_RDWR|O_CREAT 4
1 300 pread 3 4096 50
1 400 pwrite 4 0 60
1 1700 close 4 0
END
    check "by hand, with real paths" wanted.txt out.script
    agree "by hand"
    fio_by_hand
}

# transfers WHAT LINE…: the script behind its opens, without times and lengths.
transfers() {
    export_log mobigen out.script
    printf '%s\n' "${@:2}" >wanted.txt
    awk '{ print $3, $4 == "unknown.1" || $4 == "unknown.2" || $4 == "replay.0" ? "file " $NF : $4 }' out.script >got.txt
    check "$1" wanted.txt got.txt
}

# Descriptors behind the names of arguments, and ftrace's, which are hexadecimal.
named_descriptors() {
    printf '100 1700000000.%s = %s\n' '000001 openat(dfd=AT_FDCWD, filename="/x", flags=O_RDONLY)' 4 \
        '000002 read(fd=4, buf="x", count=10)' 10 '000003 close(fd=4)' 0 \
        '000004 openat(dfd=AT_FDCWD, filename="/x", flags=O_RDONLY)' 4 '000005 read(fd=4, buf="x", count=10)' 10 >named.strace
    import_as log.db named.strace
    transfers "descriptors behind names" 'open file 1' 'read 1' 'close 1' 'open file 1' 'read 1'
    printf ' app-10 (   10) [000] ...1. 100.000%s\n' '000: sys_openat(dfd: ffffff9c, filename: 7f00, flags: 0, mode: 0)' \
        '100: sys_openat -> 0x3' '200: sys_openat(dfd: ffffff9c, filename: 7f00, flags: 2, mode: 0)' '300: sys_openat -> 0x10' \
        '400: sys_read(fd: 3, buf: 7f00, count: 1000)' '500: sys_read -> 0x1000' \
        '600: sys_write(fd: 10, buf: 7f00, count: 2000)' '700: sys_write -> 0x2000' '800: sys_close(fd: 10)' '900: sys_close -> 0x0' >calls.ftrace
    import_as log.db calls.ftrace
    transfers "descriptors of ftrace's" 'open file 1' 'open file 2' 'read 1' 'write 2' 'close 2'
    printf ' app-10 (   10) [000] ...1. 100.000%s\n' '000: sys_enter: NR 257 (ffffff9c, 7f00, 0, 0, 0, 0)' \
        '100: sys_exit: NR 257 = 3' '200: sys_enter: NR 257 (ffffff9c, 7f00, 2, 0, 0, 0)' '300: sys_exit: NR 257 = 10' \
        '400: sys_enter: NR 0 (3, 7f00, 1000, 0, 0, 0)' '500: sys_exit: NR 0 = 4096' \
        '600: sys_enter: NR 1 (a, 7f00, 2000, 0, 0, 0)' '700: sys_exit: NR 1 = 8192' '800: sys_enter: NR 3 (a, 0, 0, 0, 0, 0)' '900: sys_exit: NR 3 = 0' >raw.ftrace
    import_as log.db raw.ftrace
    transfers "descriptors of raw system calls" 'open file 1' 'open file 2' 'read 1' 'write 2' 'close 2'
}

# Memory and queues of messages have names, but are no files.
no_files() {
    printf '100 1700000000.%s = %s\n' '000001 memfd_create("a", MFD_CLOEXEC)' 3 '000002 write(3, "x", 10)' 10 \
        '000003 mq_open("/q", O_RDONLY)' 4 '000004 read(4, "x", 10)' 10 '000005 write(5</memfd:b (deleted)>, "x", 10)' 10 >memfd.strace
    import_as log.db memfd.strace
    export_log mobigen out.script
    expect "memory and queues are no files" [ ! -s out.script ]
    expect "memory and queues are told" grep -q '3 times: calls on sockets, pipes and devices' said.txt
    export_log fio out.iolog
    expect "memory and queues are no files for fio" [ "$(cat out.iolog)" = 'fio version 3 iolog' ]
}

fio_by_hand() {
    export_log fio out.iolog
    cat >wanted.txt <<'END'
fio version 3 iolog
0 replay.0 add
0 replay.0 open
0 replay.0 write 0 100
200 replay.0 read 4096 50
300 replay.0 write 0 60
400 replay.0 write 2147483648 10
700 replay.2 add
700 replay.2 open
700 replay.2 read 0 4096
700 replay.0 close
700 replay.2 close
END
    check "fio by hand" wanted.txt out.iolog
    export_log fio-2 out.iolog --real-paths
    cat >wanted.txt <<'END'
fio version 2 iolog
/data/a.db add
/data/a.db open
/data/a.db write 0 100
/data/a.db wait 200 0
/data/a.db read 4096 50
/data/a.db wait 100 0
/data/a.db write 0 60
/data/a.db wait 100 0
/data/a.db write 2147483648 10
replay.2 add
replay.2 open
replay.2 wait 300 0
replay.2 read 0 4096
/data/a.db close
replay.2 close
END
    check "fio by hand, with real paths" wanted.txt out.iolog
}

# What fio's log transfers is what SQL finds where an offset is known; and fio replays it.
fio_transfers() {
    export_log fio out.iolog
    sqlite3 -readonly -tabs log.db "WITH side AS (
            SELECT substr(n.text, 1 + (n.text LIKE 'p%'), 4) AS kind, value, object, address
            FROM event e JOIN name n ON n.id = e.operation
            WHERE n.text IN ('read', 'readv', 'write', 'writev', 'pread', 'pwrite', 'pread64', 'pwrite64')
            UNION ALL SELECT 'read', value, source, source_address FROM event e JOIN name n ON n.id = e.operation
            WHERE n.text IN ('copy_file_range', 'sendfile', 'splice')
            UNION ALL SELECT 'write', value, object, address FROM event e JOIN name n ON n.id = e.operation
            WHERE n.text IN ('copy_file_range', 'sendfile', 'splice')),
        moved AS (SELECT kind, value FROM side JOIN object o ON o.id = side.object
            WHERE value > 0 AND side.address IS NOT NULL AND o.name NOT IN ('pipe', 'socket')
                AND o.name NOT GLOB '/dev/*')
        SELECT iif(kind = 'writ', 'write', kind), count(*), sum(value) FROM moved GROUP BY 1 ORDER BY 1" >wanted.tsv
    awk '$3 == "read" || $3 == "write" { n[$3]++; b[$3] += $5 } END { for (k in n) print k "\t" n[k] "\t" b[k] }' \
        out.iolog | sort >got.tsv
    check "$1: as fio" wanted.tsv got.tsv
    if ! command -v fio >/dev/null; then
        skip "there is no fio"
        return
    fi
    awk '$3 == "add" { print $2 }' out.iolog | xargs -r truncate -s 64K
    fio --name=replay --read_iolog=out.iolog --replay_no_stall=1 --ioengine=psync 2>&1 |
        sed -n 's/.*issued rwts: total=\([0-9,]*\).*/\1/p' >got.txt
    awk '{ n[$3]++ } END { printf "%d,%d,%d,%d\n", n["read"], n["write"], 0, n["sync"] }' \
        out.iolog >wanted.txt
    check "$1: fio replays what is counted" wanted.txt got.txt
    rm -f replay.*
}

samples() {
    local file

    import_as log.db "$root/testdata/mobigen/small.txt"
    agree "small.txt"
    if [ ! -d "$shared/data/strace" ]; then
        skip "no ../shared/data/strace"
        return
    fi
    for file in "$shared"/data/strace/*.strace; do
        import_as log.db "$file"
        agree "${file##*/}"
    done
    import_as log.db "$shared/data/strace/f-C.strace"
    fio_transfers f-C.strace
    import_as log.db "$shared/data/mobigen/mobigen.out.twitter"
    agree mobigen.out.twitter
}

refusals() {
    import_as log.db "$root/testdata/mobigen/small.txt"
    tracetool -d log.db export log --as chrome --real-paths >out.txt 2>err.txt
    expect "chrome with real paths: status $?" grep -q -e '--real-paths is for system calls' err.txt
    import_as log.db "$root/testdata/blkparse/ok/tails.txt"
    tracetool -d log.db export log --as fio --real-paths >out.txt 2>err.txt
    expect "block I/O with real paths" grep -q -e '--real-paths is for system calls' err.txt
    tracetool -d log.db export log --as mobigen >out.txt 2>err.txt
    expect "block I/O as mobigen: $(cat err.txt)" grep -q 'holds block I/O; mobigen does not export these' err.txt
    import_as log.db "$root/testdata/palmist/ok/small.txt"
    export_log mobigen out.script
    expect "calls of another system" [ ! -s out.script ]
}

by_hand
named_descriptors
no_files
samples
refusals
finish "replays: "
