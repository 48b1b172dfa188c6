#!/bin/bash
# The format strace against what a model of the kernel did (testdata/strace/generate.py), the ledger
# of damaged logs, and recordings of one program with many mixes of flags, of which is known what it
# does and how often strace itself counted each call.
#
#     BUILD=build tests/strace.sh [renew]    renew makes testdata/strace anew, without tracetool
#
# SHARED names the folder beside the checkout, if elsewhere.
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

data=$root/testdata/strace
recordings=$shared/data/strace

# query DATABASE SQL: the rows.
query() {
    rows "$1" sql "$2"
}

# --- logs that are made ------------------------------------------------------------------------------

# events DATABASE: every call, as the generator lists what it expects.
events() {
    query "$1" "SELECT e.time, a.tid, a.pid, a.name, n.text, e.value, f.text, e.duration, o.name,
            e.address, e.size FROM event AS e JOIN actor AS a ON a.id = e.actor
        JOIN name AS n ON n.id = e.operation LEFT JOIN name AS f ON f.id = e.error
        LEFT JOIN object AS o ON o.id = e.object ORDER BY e.id"
}

made_logs() {
    local file log

    python3 "$data/generate.py" made || fail "testdata/strace/generate.py"
    if [ "${1-}" = renew ]; then
        cp -r made/* "$data"
    fi
    kept_files made "$data" testdata/strace
    for file in "$data"/ok/*.strace; do
        log=$(basename "$file" .strace)
        import_as made.db "$file"
        check_derived "$log" made.db
        events made.db >got.tsv
        check "$log: every call" "$data/expected/$log.tsv" got.tsv
    done
}

# -ff: a file a thread; they are one trace by their names and what they hold, in whatever order.
thread_files() {
    local threads=$data/ok/threads file

    rm -f threads.db
    tracetool -q -d threads.db import "$threads"/out.{102,100,101} || fail "-ff"
    events threads.db >got.tsv
    check "-ff: every call" "$data/expected/threads.tsv" got.tsv
    check_derived "-ff" threads.db
    mkdir family families
    cp "$threads"/out.* family
    for file in 100 101 102; do
        cp "$threads/out.$file" "families/first.$file"
    done
    sed 's/^1795303426/1795303427/' "$threads/out.100" >families/other.100
    sed 's/^1795303426/1795303428/; s/^/7 /' "$threads/out.100" >run.1
    sed 's/^1795303426/1795303429/; s/^/7 /' "$threads/out.100" >run.2
    tracetool -q -d threads.db import --again family families run.1 run.2 || fail "-ff: folders"
    printf '%s\t%d\n' family 37 first 37 other 26 out 37 run.1 26 run.2 26 >wanted.tsv
    query threads.db 'SELECT name, events FROM trace ORDER BY 1' >got.tsv
    check "-ff: traces of files and folders" wanted.tsv got.tsv
    rm -f threads.db
    cp run.1 family/out.7 # with thread numbers: of no thread alone
    : >family/out.8
    for file in 100 102; do
        tracetool -q -d threads.db import --again -n "beside $file" "family/out.$file"
        tracetool -q -d threads.db import --again --only-this "family/out.$file"
    done
    { cd family && tracetool -q -d ../threads.db import --again -n two out.100 out.101; cd ..; }
    query threads.db 'SELECT t.name, group_concat(substr(s.name, -7), " ") FROM trace AS t
        JOIN (SELECT * FROM source ORDER BY name) AS s ON s.trace = t.id GROUP BY 1' >got.tsv
    printf '%s\t%s\n' 'beside 100' 'out.100 out.101 out.102' 'beside 102' \
        'out.100 out.101 out.102' out.100 out.100 out.102 out.102 two 'out.100 out.101' >wanted.tsv
    check "-ff: one file, with and without those beside it" wanted.tsv got.tsv
}

# Of lines beyond the reader's window both ends are read; beyond 64 MiB nothing.
long_lines() {
    python3 - >long.strace <<'END'
print('7 1795303426.000000 openat(AT_FDCWD, "/a", O_RDWR) = 3')
print('7 1795303426.1 pwrite64(3, "%s", 1000000, 8192) = 1000000 <0.000100>' % ('\\0' * 1000000))
print('7 1795303426.2 write(3, "%s", 300000) = 300000' % ('a' * 300000))
print('7 1795303426.3 read(3, "%s", 70000000) = 70000000' % ('a' * 70000000))
print('7 1795303426.4 writev(3, [{iov_base="%s", iov_len=300000}], 1) = 300000' % ('a\\"' * 300000))
print('7 1795303426.5 write(3, "b", 1) = 1')
END
    import_as long.db long.strace
    printf '%s\t%s\t%s\t%s\n' openat '' '' '' pwrite64 8192 1000000 100000 write 0 300000 '' \
        writev 300000 300000 '' write 600000 1 '' >wanted.tsv
    query long.db "SELECT n.text, e.address, e.size, e.duration FROM event AS e
        JOIN name AS n ON n.id = e.operation ORDER BY e.id" >got.tsv
    check "long lines" wanted.tsv got.tsv
    printf '%s\t1\n' "$(LC_ALL=C grep -a " read(" long.strace | wc -c)" >wanted.tsv
    query long.db 'SELECT lost_bytes, rejected FROM trace' >got.tsv
    check "a line beyond 64 MiB" wanted.tsv got.tsv
    rm -f long.strace long.db
}

# --- logs of a few lines, each with what comes of it -------------------------------------------------

# calls DATABASE: process, call, file, offset, bytes, "-" where there is none.
calls() {
    query "$1" "SELECT ifnull(a.pid, '-'), n.text, ifnull(o.name, '-'), ifnull(e.address, '-'),
            ifnull(e.size, '-') FROM event AS e
        JOIN actor AS a ON a.id = e.actor JOIN name AS n ON n.id = e.operation
        LEFT JOIN object AS o ON o.id = e.object ORDER BY e.id" | tr '\t' ' '
}

# check_calls WHAT LOG: the calls of a log are those of standard input.
check_calls() {
    cat >wanted.txt
    import_as small.db "$2"
    calls small.db >got.txt
    check "$1" wanted.txt got.txt
}

# A fork tells of a child while the first process has no number yet: it keeps its descriptors.
fork_without_number() {
    cat >log.strace <<'END'
10:00:00.000000 openat(AT_FDCWD, "/x.db", O_RDWR) = 3
10:00:00.000001 read(3, "x", 100) = 100
10:00:00.000002 vfork() = 4711
10:00:00.000003 read(3, "x", 100) = 100
END
    check_calls "a fork before any number" log.strace <<'END'
- openat /x.db - -
- read /x.db 0 100
- vfork - - -
- read /x.db 100 100
END
}

# Numbers that no transfer has are left out, and the position is not known behind one.
beyond_belief() {
    cat >log.strace <<'END'
7 1795303426.000001 openat(AT_FDCWD, "/x", O_RDWR) = 3
7 1795303426.000002 pwrite64(3, ""..., 8, 4611686018427387904) = 1099511627776
7 1795303426.000003 pwrite64(3, ""..., 8, 4611686018427387905) = 1099511627777
7 1795303426.000004 sendfile(3, 4, NULL, 8) = 1099511627777
7 1795303426.000005 recvfrom(5, ""..., 8, 0, NULL, NULL) = 9223372036854775807
7 1795303426.000006 write(3, ""..., 8) = 8
END
    check_calls "sizes and offsets beyond belief" log.strace <<'END'
7 openat /x - -
7 pwrite64 /x 4611686018427387904 1099511627776
7 pwrite64 /x - -
7 sendfile /x - -
7 recvfrom - - -
7 write /x - 8
END
    query small.db "SELECT count(*) FROM remark WHERE text LIKE '4 sizes above 2^40%'" >got.txt
    echo 1 >wanted.txt
    check "sizes and offsets beyond belief: the remark" wanted.txt got.txt
}

byte_order_mark() {
    printf '\xEF\xBB\xBF' >log.strace
    cat >>log.strace <<'END'
7 1795303426.000001 openat(AT_FDCWD, "/x", O_RDONLY) = 3
7 1795303426.000002 read(3, "x", 10) = 10
7 1795303426.000003 close(3) = 0
END
    check_calls "a byte order mark" log.strace <<'END'
7 openat /x - -
7 read /x 0 10
7 close /x - -
END
}

# -qq: a thread that has called exit says nothing more, and takes nobody's room.
exits_without_ends() {
    cat >log.strace <<'END'
10:00:00.000000 openat(AT_FDCWD, "/x.db", O_RDWR) = 3
10:00:00.000001 clone(child_stack=NULL, flags=SIGCHLD) = 101
[pid   100] 10:00:00.000010 wait4(101,  <unfinished ...>
[pid   101] 10:00:00.000011 read(3, "x", 5) = 5
[pid   101] 10:00:00.000012 exit_group(0) = ?
10:00:00.000013 <... wait4 resumed>NULL, 0, NULL) = 101
10:00:00.000014 read(3, "x", 5) = 5
10:00:00.000015 exit_group(0) = ?
10:00:00.000016 +++ exited with 0 +++
END
    check_calls "-qq" log.strace <<'END'
100 openat /x.db - -
100 clone - - -
100 wait4 - - -
101 read /x.db 0 5
101 exit_group - - -
100 read /x.db 5 5
100 exit_group - - -
END
    awk 'BEGIN { for (i = 0; i < 17000; i++) {
        print 1000 + i, "1795303426.000001 openat(AT_FDCWD, \"/x\", O_RDONLY) = 3"
        print 1000 + i, "1795303426.000001 exit_group(0) = ?" } }' >log.strace
    import_as small.db log.strace
    printf '34000\t0\n' >wanted.tsv
    query small.db 'SELECT events, rejected FROM trace' >got.tsv
    check "-qq: many threads, one after another" wanted.tsv got.tsv
}

# The child of a child is not the first process, whose number is not known yet.
grandchild() {
    cat >log.strace <<'END'
openat(AT_FDCWD, "/x", O_RDONLY) = 3
clone(child_stack=NULL, flags=SIGCHLD) = 101
[pid   101] clone(child_stack=NULL, flags=SIGCHLD <unfinished ...>
[pid   102] read(3, "x", 1) = 1
[pid   101] <... clone resumed>) = 102
[pid   100] read(3, "yy", 2) = 2
END
    check_calls "a grandchild" log.strace <<'END'
100 openat /x - -
100 clone - - -
101 clone - - -
102 read /x 0 1
100 read /x 1 2
END
}

# Folders need not be opened as such, not even where many files are opened after them.
folders() {
    {
        cat <<'END'
7 1795303426.000001 openat(AT_FDCWD, "/a", O_RDONLY|O_CLOEXEC) = 3
7 1795303426.000002 openat(3, "b", O_RDONLY) = 4
7 1795303426.000003 fchdir(4) = 0
7 1795303426.000004 unlink("c") = 0
END
        awk 'BEGIN { for (i = 0; i < 16400; i++) {
            print "7 1795303426.000005 openat(AT_FDCWD, \"/f/" i "\", O_RDONLY) = 5" } }'
        cat <<'END'
7 1795303426.000006 unlinkat(3, "x", 0) = 0
7 1795303426.000007 rename("c", "d") = 0
END
    } >log.strace
    import_as small.db log.strace
    calls small.db | grep -v /f/ >got.txt
    cat >wanted.txt <<'END'
7 openat /a - -
7 openat /a/b - -
7 fchdir /a/b - -
7 unlink /a/b/c - -
7 unlinkat /a/x - -
7 rename /a/b/c - -
END
    check "folders" wanted.txt got.txt
}

# Offsets of 32-bit ARM, and what only looks like them.
high_offsets() {
    cat >log.strace <<'END'
7 1795303426.000001 open("/x", O_RDWR) = 3
7 1795303426.000002 pread(3, ""..., 10, 17592186044416) = 10
7 1795303426.000003 pread(3, ""..., 10, 35188667056128) = 10
7 1795303426.000004 pread(3, ""..., 10, 4096) = 10
7 1795303426.000005 pread(3, ""..., 10, 17592186044416) = 10
END
    check_calls "offsets that stand too high, up to one that does not" log.strace <<'END'
7 open /x - -
7 pread /x 4096 10
7 pread /x 8193 10
7 pread /x 4096 10
7 pread /x 17592186044416 10
END
    echo 1 >wanted.txt
    query small.db "SELECT count(*) FROM remark WHERE text LIKE '2 offsets%below 2^32%'" >got.txt
    check "offsets that stand too high: the remark" wanted.txt got.txt
    sed -i 's/17592186044416/17592186044417/' log.strace
    check_calls "offsets that do not stand too high" log.strace <<'END'
7 open /x - -
7 pread /x 17592186044417 10
7 pread /x 35188667056128 10
7 pread /x 4096 10
7 pread /x 17592186044417 10
END
}

# -ff -tt over midnight: a file that begins behind it is of the day after.
files_over_midnight() {
    mkdir -p night
    cat >night/out.100 <<'END'
23:50:00.000000 execve("/a", ["a"], 0x1 /* 1 var */) = 0
23:50:01.000000 openat(AT_FDCWD, "/x", O_RDONLY) = 3
23:58:00.000000 clone(child_stack=NULL, flags=SIGCHLD) = 101
00:10:00.000000 close(3) = 0
END
    cat >night/out.101 <<'END'
00:05:00.000000 read(3, "x", 1) = 1
00:05:01.000000 read(3, "x", 1) = 1
00:05:02.000000 close(3) = 0
END
    printf '%s\t%d\n' execve 0 openat 1 clone 480 read 900 read 901 close 902 close 1200 >wanted.tsv
    rm -f small.db
    tracetool -q -d small.db import night/out.101 night/out.100 || fail "-ff: midnight"
    query small.db "SELECT n.text, e.time / 1000000000 FROM event AS e
        JOIN name AS n ON n.id = e.operation ORDER BY e.id" >got.tsv
    check "-ff: midnight" wanted.tsv got.tsv
    printf '0\t1\n1\t1\n' >wanted.tsv
    query small.db "SELECT e.address, e.size FROM event AS e WHERE e.size > 0 ORDER BY e.id" >got.tsv
    check "-ff: midnight: positions" wanted.tsv got.tsv
}

# printed DATABASE: every call with its arguments and its result.
printed() {
    query "$1" "SELECT n.text || '(' || ifnull(CAST(e.arguments AS TEXT), '') || ') = ' || ifnull(e.value, '?')
        FROM event AS e JOIN name AS n ON n.id = e.operation ORDER BY e.id"
}

# check_printed WHAT LOG: the calls of a log, of which nothing is rejected, are those of standard input.
check_printed() {
    { cat && echo '0 rejected'; } >wanted.txt
    rm -f small.db
    tracetool -q -d small.db import "$2" 2>import.txt || fail "$1" import.txt
    {
        printed small.db
        query small.db "SELECT rejected || ' rejected' FROM trace"
    } >got.txt
    check "$1" wanted.txt got.txt
}

# The program writes to, and reads from, the terminal that strace writes to. strace pads a call to
# column 40: that of the last wait4 but one begins at its byte 10.
on_a_terminal() {
    cat >log.strace <<'END'
write(1, "x: $", 9x: $) = 9
write(1, "2.593743\n", 92.593743
)               = 9
write(2, "8", 18) = 1
write(1, "12", 12) = 12
write(1, "\0\1", 2) = 2
write(1, "0123456789012345"..., 4096) = 40
read(0, 1 10
"1 10\n", 1024)                 = 5
wait4(-1, hello world
NULL, 0, NULL)                = 17079
wait4(-1, hello, world
more (of it) = 3
and moreNULL, 0, NULL)                = 17079
wait4(-1, hello, world
[{WIFEXITED(s) && WEXITSTATUS(s) == 0}], 0, NULL) = 17079
write(2, "\n ", 2
 )                      = 2
write(1, "Initializing TinyWL with wlhs bi"..., 60Initializing TinyWL with wlhs bindings
then > ) = 60
END
    check_printed "output of the program on strace's terminal" log.strace <<'END'
write(1, "x: $", 9) = 9
write(1, "2.593743\\n", 9) = 9
write(2, "8", 1) = 1
write(1, "12", 12) = 12
write(1, "\\0\\1", 2) = 2
write(1, "0123456789012345"..., 4096) = 40
read(0, "1 10\\n", 1024) = 5
wait4(-1, NULL, 0, NULL) = 17079
wait4(-1, NULL, 0, NULL) = 17079
wait4(-1, [{WIFEXITED(s) && WEXITSTATUS(s) == 0}], 0, NULL) = 17079
write(2, "\\n ", 2) = 2
write(1, "Initializing TinyWL with wlhs bi"..., 60) = 60
END
    cat >log.strace <<'END'
[pid 837231] mmap(0x7efd74000000, 67108864, PROT_NONE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0 <unfinished ...>
[pid 837197] write(2, "Initializing TinyWL with wlhs bi"..., 38 <unfinished ...>
Initializing TinyWL with wlhs bindings[pid 837231] <... mmap resumed>)        = 0x7efd74000000
[pid 837197] <... write resumed>)       = 38
done (so far[pid 837231] write(2, "[pid 7] close(3) = 0", 20) = 20
END
    check_printed "output of the program before a line of another thread" log.strace <<'END'
mmap(0x7efd74000000, 67108864, PROT_NONE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 139627037982720
write(2, "Initializing TinyWL with wlhs bi"..., 38) = 38
write(2, "[pid 7] close(3) = 0", 20) = 20
END
}

# strace is stopped, or killed, in a call; somebody has noted something behind another; a call that old
# strace did not know is not ltrace's.
ends_of_logs() {
    cat >log.strace <<'END'
strace: Process 43752 attached
SYS_328(0, 0x80800, 0x269ff4) = 3
openat(AT_FDCWD, "/dev/nvidia-uvm", O_RDWR|O_CLOEXEC) = 10     # nvidia-uvm = 5
write(1, "a) = 3 # b", 10) = 10
read(0, strace: Process 43752 detached
 <detached ...>
END
    check_printed "strace was stopped" log.strace <<'END'
SYS_328(0, 0x80800, 0x269ff4) = 3
openat(AT_FDCWD, "/dev/nvidia-uvm", O_RDWR|O_CLOEXEC) = 10
write(1, "a) = 3 # b", 10) = 10
read(0, ) = ?
END
    cat >log.strace <<'END'
7 1795303426.000000 openat(AT_FDCWD, "/a", O_RDONLY) = 3 <0.000100>  # the log
7 1795303426.100000 read(3, "x", 1) = 1
8 1795303426.100001 read(4,  <unfinished ...>
7 1795303426.200000 read(3, "xy
END
    truncate -s -1 log.strace
    check_printed "strace was killed" log.strace <<'END'
openat(AT_FDCWD, "/a", O_RDONLY) = 3
read(3, "x", 1) = 1
read(4, ) = ?
read(3, "xy) = ?
END
    echo 100000 >wanted.txt
    query small.db 'SELECT duration FROM event WHERE duration IS NOT NULL' >got.txt
    check "a note behind a duration" wanted.txt got.txt
}

# A clock that steps back: the calls of a thread keep their order.
clock_back() {
    cat >log.strace <<'END'
7 1795303426.000000 openat(AT_FDCWD, "/a", O_RDWR) = 3
7 1795303426.100000 write(3, "x"..., 10) = 10
7 1795303425.600000 write(3, "x"..., 20) = 20
8 1795303426.150000 close(9) = 0
7 1795303426.200000 write(3, "x"..., 30) = 30
7 1795303426.150000 close(3) = 0
END
    check_calls "a clock that steps back" log.strace <<'END'
7 openat /a - -
7 write /a 0 10
7 write /a 10 20
8 close - - -
7 write /a 30 30
7 close /a - -
END
    echo '2 earlier than the record before, by up to 0.500000000 s' >wanted.txt
    query small.db "SELECT count || ' ' || reason FROM ledger WHERE outcome = 'earlier'" >got.txt
    check "a clock that steps back: the ledger" wanted.txt got.txt
    printf 'write\t3\t0\t1.000000\n' >wanted.tsv
    rows small.db report locality | grep '^write' >got.tsv
    check "a clock that steps back: sequential writes" wanted.tsv got.tsv
}

# Threads behind blanks are no times of -r, which have a fraction, or are 0 at times (-r=s).
indented() {
    local time

    cat >log.strace <<'END'
    5678  read(3,  <unfinished ...>
    5693  write(4, "x"..., 1) = 1
    5678  <... read resumed>"x", 1) = 1
    12    close(3) = 0
END
    printf '%s\t%s\n' 5678 read 5693 write 12 close | sort >wanted.tsv
    import_as small.db log.strace
    query small.db "SELECT a.tid, n.text FROM event AS e JOIN actor AS a ON a.id = e.actor
        JOIN name AS n ON n.id = e.operation" | sort >got.tsv
    check "threads behind blanks" wanted.tsv got.tsv
    printf '%s\t%s\n' 12 close 12 fsync 5678 read >wanted.tsv
    for time in 1795303426.000001 '    0.000001' 23:59:59 '23:59:59 (+     0.000001)'; do
        printf '    %s %s %s\n' '5678<cat>' "$time" 'read(3, "x", 1) = 1' 12 "$time" 'close(3) = 0' \
            12 "$time" 'fsync(4) = 0' >log.strace
        import_as small.db log.strace
        query small.db "SELECT a.tid, n.text FROM event AS e JOIN actor AS a ON a.id = e.actor
            JOIN name AS n ON n.id = e.operation" | sort >got.tsv
        check "threads behind blanks, before $time" wanted.tsv got.tsv
    done
    cat >log.strace <<'END'
     0 execve("/a", ["a"], 0x7 /* 1 var */) = 0
     2 close(3) = 0
    10 close(4) = 0
END
    printf '%s\n' 0 2000000000 12000000000 >wanted.tsv
    import_as small.db log.strace
    query small.db 'SELECT time FROM event ORDER BY id' >got.tsv
    check "times of -r=s" wanted.tsv got.tsv
    printf '%7d.000000 close(3) = 0\n' 0 9000000 4 >log.strace
    import_as small.db log.strace
    echo 1 >wanted.txt
    query small.db "SELECT count(*) FROM remark WHERE text LIKE 'the log lasts 104 days%'" >got.txt
    check "a log of months" wanted.txt got.txt
}

# Annotations that do not end are looked for a few times only: else this takes minutes.
open_annotations() {
    local begin

    for begin in 'a1' '/a1' 'a[1' 'a>1'; do
        python3 -c 'import sys
print("7 1.0 close(4) = 0")
for n in range(5):
    print("7 1.%d f(1%s) = 0" % (n, ("<" + sys.argv[1]) * 60000))
print("7 2.0 close(4) = 0")' "$begin" >log.strace
        rm -f small.db
        timeout 60 "$TRACETOOL" -q -d small.db import -f strace log.strace >import.txt 2>&1 ||
            fail "annotations that do not end: $begin" import.txt
        pass
    done
}

small_logs() {
    fork_without_number
    beyond_belief
    byte_order_mark
    exits_without_ends
    grandchild
    folders
    high_offsets
    files_over_midnight
    open_annotations
    on_a_terminal
    clock_back
    indented
    ends_of_logs
}

# --- recordings of one program ----------------------------------------------------------------------

# Of each log: its name, calls with an end, failed ones, as strace counted them or the log's flags
# leave (expected.md, beside the recordings).
counts() {
    cat <<'END'
f-C 111 4
f-X-verbose 110 4
f-Y-i-n 110 4
f-q-ttt-stderr-alone 26 0
f-r 111 4
f-raw 110 4
f-t 110 4
f-tt-T-midnight 110 4
f-tt-T 110 4
f-tt-r-T 110 4
f-tt-stderr 110 4
f-ttt-T-y 110 4
f-ttt-T-z-C-torn 106 0
f-ttt-T 110 4
f-ttt-Zfail 4 4
f-ttt-dump 110 4
f-ttt-k 18 3
f-ttt-ns 110 4
f-ttt-s0-a1-q 110 4
f-ttt-stderr-alone 26 0
f-ttt-xx-yy 110 4
f-ttt-z 106 0
f 111 4
plain 72 3
tt-C-output-inside 17 0
ff 110 4
END
}

# What the program reads and writes, from its source: file (without the folder that only -y knows),
# call, number, bytes, offsets in order. The two reads of 16 bytes are one of each thread.
written_and_read() {
    tr ' ' '\t' <<'END' | sed 's/|/ /g'
d/file|>1|é.db pread64 4 256 0,0,4096,4096
d/file|>1|é.db pwrite64 1 20 8192
d/file|>1|é.db read 5 92 100,180,184,200,8206
d/file|>1|é.db write 2 525 0,512
d/file|>1|é.db writev 1 30 150
d/out copy_file_range 1 40 108
d/out sendfile 2 108 0,100
d/out write 3 22 148,153,164
pipe read 1 2 -
pipe write 1 2 -
END
}

# transfers DATABASE: the same, as it was imported.
transfers() {
    query "$1" "SELECT replace(substr(name || ':', 1, instr(name || ':', ':') - 1),
            '/data/local/wl/', ''), text, count(*), sum(size), group_concat(offset, ',')
        FROM (SELECT o.name, n.text, e.size, ifnull(e.address, '-') AS offset FROM event AS e
            JOIN name AS n ON n.id = e.operation JOIN object AS o ON o.id = e.object
            WHERE e.size IS NOT NULL ORDER BY 1, 2, e.address)
        GROUP BY 1, 2 ORDER BY 1, 2"
}

# The first process has the number that its own calls tell, and two threads; the child is another.
actors() {
    query "$1" "SELECT count(DISTINCT pid), count(*), sum(pid = tid), min(name), max(name) FROM actor"
}

# import_recording NAME: into recording.db.
import_recording() {
    if [ "$1" = ff ]; then
        import_as recording.db --join "$recordings"/ff.*
    else
        import_as recording.db "$recordings/$1.strace"
    fi
}

# What its copies read, likewise.
copied() {
    printf 'copy_file_range\t40\t100\nsendfile\t100\t0\nsendfile\t8\t8\n'
}

copies() {
    query "$1" "SELECT n.text, e.size, e.source_address FROM event AS e
        JOIN name AS n ON n.id = e.operation JOIN object AS o ON o.id = e.source
        WHERE o.name GLOB '*file >1*' ORDER BY n.text, e.source_address"
}

declare -A without=([f-ttt-s0-a1-q]=^pipe)

# Logs whose flags leave out none of the calls, and keep names of files.
is_whole() {
    [ "$2" -ge 110 ] && [ "$1" != f-raw ]
}

check_recording() {
    local log=$1 ended=$2 errors=$3

    import_recording "$log"
    printf '%s\t%s\n' "$ended" "$errors" >wanted.tsv
    query recording.db "SELECT sum(value IS NOT NULL OR error IS NOT NULL), sum(error IS NOT NULL)
        FROM event" >got.tsv
    check "$log: calls and errors" wanted.tsv got.tsv
    echo 0 >wanted.tsv
    query recording.db 'SELECT rejected FROM trace' >got.tsv
    check "$log: nothing is rejected" wanted.tsv got.tsv
    tracetool -d recording.db check >check.txt 2>&1 || fail "$log: check" check.txt
    is_whole "$log" "$ended" || return
    # -s0 prints pipe2([...], 0): no descriptors.
    grep -v "${without[$log]:-^$}" transfers.tsv >wanted.tsv
    transfers recording.db >got.tsv
    check "$log: files, positions, bytes" wanted.tsv got.tsv
    copied >wanted.tsv
    copies recording.db >got.tsv
    check "$log: what is copied from a file" wanted.tsv got.tsv
    printf '2\t4\t2\twl\twl\n' >wanted.tsv
    actors recording.db >got.tsv
    check "$log: processes and threads" wanted.tsv got.tsv
}

# The same calls a name in each.
by_name() {
    query "$1" "SELECT n.text, count(*) FROM event AS e JOIN name AS n ON n.id = e.operation
        WHERE n.text <> 'futex' GROUP BY 1 ORDER BY 1"
}

all_recordings() {
    local log ended errors

    if [ ! -d "$recordings" ]; then
        skip "there are no recordings of strace"
        return
    fi
    written_and_read >transfers.tsv
    while read -r log ended errors; do
        check_recording "$log" "$ended" "$errors"
        [ "$log" != f-ttt-T ] || by_name recording.db >names.tsv
    done < <(counts)
    while read -r log ended _; do
        if [ "$ended" -ge 110 ]; then
            import_recording "$log"
            by_name recording.db >got.tsv
            check "$log: calls by name" names.tsv got.tsv
        fi
    done < <(counts)
}

# Without numbers, lines are of the process that is alone; each writes what its source says.
alone() {
    local log

    [ -d "$recordings" ] || return
    for log in f-ttt-stderr-alone f-q-ttt-stderr-alone; do
        import_as recording.db "$recordings/$log.strace"
        printf '6\n5 2\n5\n' >wanted.txt
        query recording.db "SELECT group_concat(size, ' ') FROM (SELECT actor.pid, size
            FROM event JOIN actor ON actor.id = event.actor WHERE size IS NOT NULL
            AND object IS NOT NULL ORDER BY event.id) GROUP BY pid ORDER BY pid" >got.txt
        check "$log: who writes" wanted.txt got.txt
    done
}

# strace's own table of the same run, at the end of the log: calls and errors by name.
own_table() {
    local log

    [ -d "$recordings" ] || return
    for log in f-C tt-C-output-inside; do
        import_as recording.db "$recordings/$log.strace"
        awk -v OFS='\t' '/^% time/ { table = 1; next }
            table && $1 ~ /^[0-9.]+$/ && $NF != "total" { print $NF, $4, NF == 6 ? $5 : 0 }' \
            "$recordings/$log.strace" | LC_ALL=C sort >wanted.tsv
        query recording.db "SELECT n.text, count(*), sum(error IS NOT NULL) FROM event AS e
            JOIN name AS n ON n.id = e.operation WHERE value IS NOT NULL OR error IS NOT NULL
            GROUP BY 1" | LC_ALL=C sort >got.tsv
        check "$log: calls and errors are those of strace's table" wanted.tsv got.tsv
    done
}

# Across midnight, times go on; the run is f-tt-T's, moved.
midnight() {
    [ -d "$recordings" ] || return
    import_as recording.db "$recordings/f-tt-T.strace"
    query recording.db 'SELECT max(time) FROM event' >wanted.txt
    import_as recording.db "$recordings/f-tt-T-midnight.strace"
    query recording.db 'SELECT max(time) FROM event' >got.txt
    check "midnight" wanted.txt got.txt
}

# What awk takes for the times inside calls (-T), and for those until the end was printed.
durations() {
    [ -d "$recordings" ] || return
    import_as recording.db "$recordings/f-ttt-ns.strace"
    sed -n 's/.* <\([0-9.]*\)>$/\1/p' "$recordings/f-ttt-ns.strace" | tr -d . | sed 's/^0*//' |
        sort -n >wanted.txt
    query recording.db 'SELECT duration FROM event WHERE duration IS NOT NULL ORDER BY 1' >got.txt
    check "f-ttt-ns: durations" wanted.txt got.txt
    import_as recording.db "$recordings/f-ttt-dump.strace"
    awk '/<unfinished/ { begin[$1] = $2 }
        /resumed>/ && !/= \?$/ { printf "%.0f000\n", ($2 - begin[$1]) * 1000000 }' \
        "$recordings/f-ttt-dump.strace" | sort -n >wanted.txt
    query recording.db 'SELECT duration FROM event WHERE duration IS NOT NULL ORDER BY 1' >got.txt
    check "f-ttt-dump: durations of interrupted calls" wanted.txt got.txt
}

# Descriptors that no call of the log has opened, by what -y prints of them each time: 3 is used again,
# its position is not known then, and 4 leads to the file of 3 from before. 5 was opened by the log and
# renamed: one file. 6 becomes a socket.
used_again() {
    cat >again.strace <<'END'
7 1795303426.000000 write(3</d/a>, "x"..., 1) = 1
7 1795303426.010000 lseek(3</d/a>, 100, SEEK_SET) = 100
7 1795303426.020000 write(3</d/a>, "x"..., 2) = 2
7 1795303426.030000 dup(3</d/a>) = 4</d/a>
7 1795303426.040000 write(3</d/b>, "x"..., 3) = 3
7 1795303426.050000 write(4</d/a>, "x"..., 4) = 4
7 1795303426.060000 lseek(3</d/b>, 50, SEEK_SET) = 50
7 1795303426.070000 write(3</d/b (deleted)>, "x"..., 5) = 5
7 1795303426.080000 write(3</d/b>(deleted), "x"..., 6) = 6
7 1795303426.090000 write(3, "x"..., 7) = 7
7 1795303426.100000 openat(AT_FDCWD, "/d/new", O_WRONLY) = 5</d/new>
7 1795303426.110000 write(5</d/new>, "x"..., 8) = 8
7 1795303426.120000 rename("/d/new", "/d/final") = 0
7 1795303426.130000 write(5</d/final>, "x"..., 9) = 9
7 1795303426.140000 write(6</d/a>, "x"..., 10) = 10
7 1795303426.150000 write(6<socket:[8]>, "x"..., 11) = 11
7 1795303426.160000 sendfile(3</d/c>, 4</d/e>, NULL, 12) = 12
7 1795303426.170000 write(4</d/e>, "x"..., 13) = 13
END
    printf '%s\t%s\t%s\n' /d/a '' 1 /d/a 100 2 /d/b '' 3 /d/a 102 4 /d/b 50 5 /d/b 55 6 /d/b 61 7 \
        /d/new 0 8 /d/new 8 9 /d/a '' 10 'socket:[8]' '' 11 /d/c '' 12 /d/e '' 13 >wanted.tsv
    import_as again.db again.strace
    query again.db "SELECT o.name, e.address, e.size FROM event AS e JOIN object AS o ON o.id = e.object
        WHERE e.size NOT NULL ORDER BY e.id" >got.tsv
    check "-y: descriptors that are used again" wanted.tsv got.tsv
    rm -f again.strace again.db
}

made_logs "$@"
thread_files
used_again
long_lines
small_logs
all_recordings
alone
own_table
midnight
durations
finish ""
