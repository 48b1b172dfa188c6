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

made_logs "$@"
thread_files
long_lines
open_annotations
all_recordings
alone
own_table
midnight
durations
finish ""
