#!/bin/bash
# Tests that nothing is lost: however an import ends, the previous content of the database is intact, and the
# new trace is complete or absent. The database passes `tracetool check`, and the next import works.
#
#     BUILD=build tests/loss.sh [KILLS]       SIGKILLs per kind, default 9; docs/reliability.md: 100
#
# Tests that need their own file system (full, read-only) run in a mount namespace; they are skipped with a
# message if there is none.
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

kills=${1:-9}
RANDOM=${SEED:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export HOME=$work
faults=0

# --- the logs, and what must hold of them ---------------------------------------------------------

# Prints the contents of traces a and b as text.
digest() {
    tracetool -d "$1" dump -t a -t b 2>&1 | cksum
}

events_of() {
    tracetool -d "$1" traces --format tsv 2>/dev/null | awk -F '\t' -v name="$2" '$1 == name { print $4 }'
}

make_base() {
    tracetool -q -d base.db import -n a "$root/testdata/most/small.po" &&
        tracetool -q -d base.db import -n b part1.po && before=$(digest base.db)
}

# is_intact WHAT DATABASE NAME ALLOWED…: after a fault, checks that trace NAME has one of the ALLOWED numbers
# of events ("": no such trace), a and b are unchanged, and check succeeds.
is_intact() {
    local what=$1 database=$2 name=$3 events

    shift 3
    faults=$((faults + 1))
    # The first access is a reader, which has to handle the leftover journal.
    events=$(events_of "$database" "$name")
    if ! printf '%s\n' "$@" | grep -qx -- "$events"; then
        fail "$what: $name has '$events' events"
    elif [ "$name" != b ] && [ "$(digest "$database")" != "$before" ]; then
        fail "$what: what was there is not as it was"
    elif ! tracetool -q -d "$database" check >check.txt 2>&1; then
        fail "$what: tracetool check" check.txt
    else
        pass
    fi
}

# Repeats the failed import, which must work.
works_again() {
    tracetool -q -d "$1" import --replace -n new log.po 2>again.txt || fail "$2: import again" again.txt
    is_intact "$2, again" "$1" new "$LINES_NEW"
}

# failed_clearly WHAT STATUS EXPECTED PATTERN FILE: checks that the program explained it in one line.
failed_clearly() {
    if [ "$2" -ne "$3" ]; then
        fail "$1: status $2, not $3" "$5"
    elif [ "$(wc -l <"$5")" -ne 1 ] || ! grep -Eq "^tracetool: .*($4)" "$5"; then
        fail "$1: the message" "$5"
    else
        pass
    fi
}

# --- killed -------------------------------------------------------------------------------------

# Measures the duration of an import in milliseconds; kills are within it.
measure() {
    local begin

    begin=$(date +%s%N)
    cp base.db measured.db
    tracetool -q -d measured.db import -n new log.po
    duration=$((($(date +%s%N) - begin) / 1000000 + 10))
}

# Every second moment is near the end, when most is written to the database.
random_moment() {
    local milliseconds=$((RANDOM % (duration * 11 / 10)))

    [ $((RANDOM % 2)) -eq 0 ] || milliseconds=$((duration * 2 / 3 + RANDOM % (duration / 2)))

    sleep "$((milliseconds / 1000)).$(printf %03d $((milliseconds % 1000)))"
}

# kill_imports WHAT TRACE ALLOWED OTHER OPTION…: sends SIGKILL at random moments.
kill_imports() {
    local what=$1 trace=$2 absent=$3 whole=$4 i finished=0 duration=$duration

    shift 4
    for ((i = 0; i < kills; i++)); do
        rm -f killed.db killed.db-*
        [ "$what" = "a new database" ] || cp base.db killed.db
        start_tracetool -q -d killed.db import "$@" 2>/dev/null &
        random_moment
        # The machine may be faster than when the duration was measured: kill earlier from now on.
        kill -KILL $! 2>/dev/null || {
            finished=$((finished + 1))
            duration=$((duration * 2 / 3 + 2))
        }
        wait $! 2>/dev/null
        if [ "$what" = "a new database" ]; then
            kill_new_database
        else
            is_intact "SIGKILL, $what, $i" killed.db "$trace" "$absent" "$whole"
        fi
    done
    [ $finished -lt "$kills" ] || fail "SIGKILL, $what: all $kills came too late"
}

# Without a previous database: there is none, an empty one, or the complete trace.
kill_new_database() {
    local events

    faults=$((faults + 1))
    events=$(events_of killed.db new)
    if [ -n "$events" ] && [ "$events" != "$LINES_NEW" ]; then
        fail "SIGKILL, new database: $events events"
    elif tracetool -q -d killed.db import --again -n later part1.po 2>again.txt &&
        tracetool -q -d killed.db check >>again.txt 2>&1; then
        pass
    else
        fail "SIGKILL, new database: the next import" again.txt
    fi
}

test_kills() {
    kill_imports "a new trace" new "" "$LINES_NEW" -n new log.po
    works_again killed.db "SIGKILL"
    kill_imports "a trace replaced" b "$LINES_PART" "$LINES_NEW" --replace -n b log.po
    kill_imports "a trace continued" b "$LINES_PART" "$((LINES_PART + LINES_PART2))" \
        --append -n b part2.po
    kill_imports "a new database" new "" "$LINES_NEW" -n new log.po
}

# --- interrupted ----------------------------------------------------------------------------------

# The log comes slowly through a pipe, so that the signal always arrives during the import.
interrupt_pipe() {
    local signal=$1 status

    cp base.db signal.db
    rm -f pipe
    mkfifo pipe
    start_tracetool -q -d signal.db import -n new pipe 2>signal.txt &
    exec 7>pipe
    head -n 20000 log.po >&7
    sleep 0.3
    kill -"$signal" $!
    wait $!
    status=$?
    exec 7>&-
    failed_clearly "SIG$signal in a pipe" $status 130 "interrupted; nothing was imported" signal.txt
    is_intact "SIG$signal in a pipe" signal.db new ""
}

# A pipe not yet opened for writing, alone or as the second file of a trace.
interrupt_waiting() {
    local signal=$1 i status

    shift
    cp base.db signal.db
    rm -f pipe
    mkfifo pipe
    start_tracetool -q -d signal.db import -n new "$@" 2>signal.txt &
    catches_signals $!
    sleep 0.3
    kill -"$signal" $!
    for ((i = 0; i < 20 + $(load); i++)); do
        sleep 0.1
        kill -0 $! 2>/dev/null || break
    done
    kill -KILL $! 2>/dev/null
    wait $!
    status=$?
    failed_clearly "SIG$signal, waiting for $*" $status 130 "interrupted; nothing was imported" signal.txt
    is_intact "SIG$signal, waiting for $*" signal.db new ""
}

# At any moment: either status 130 and no trace, or it was already complete. Before main(), the signal ends
# the program at once.
interrupt_anywhere() {
    local signal=$1 number=$2 i status

    for ((i = 0; i < (kills + 4) / 5; i++)); do
        cp base.db signal.db
        start_tracetool -q -d signal.db import -n new log.po 2>signal.txt &
        random_moment
        kill -"$signal" $! 2>/dev/null
        wait $!
        status=$?
        case $status in
        0) is_intact "SIG$signal, $i" signal.db new "$LINES_NEW" ;;
        130 | $((128 + number))) is_intact "SIG$signal, $i" signal.db new "" ;;
        *) fail "SIG$signal, $i: status $status" signal.txt ;;
        esac
    done
}

test_signals() {
    interrupt_pipe INT
    interrupt_pipe TERM
    interrupt_pipe HUP
    interrupt_waiting TERM pipe
    interrupt_waiting TERM --join part2.po pipe
    interrupt_anywhere INT 2
    interrupt_anywhere TERM 15
}

# --- no room ----------------------------------------------------------------------------------------

# limited KILOBYTES COMMAND…: limits the size of files. SIGXFSZ is ignored, so that writing fails.
limited() {
    local size=$1

    shift
    (
        trap '' XFSZ
        ulimit -f "$size"
        exec timeout -k 5 120 "$@"
    )
}

test_file_size_limit() {
    local size status base_size words

    read -ra words <<<"$TRACETOOL"
    base_size=$(($(stat -c %s base.db) / 1024))
    for size in $((base_size + 16)) $((base_size + 400)) $((base_size + 1000)); do
        cp base.db limited.db
        limited "$size" "${words[@]}" -q -d limited.db import -n new log.po 2>limited.txt
        failed_clearly "files of $size KiB" $? 1 "no space|disk I/O|too large|full|write" limited.txt
        is_intact "files of $size KiB" limited.db new ""
        # With the default action, the signal ends the program.
        {
            (
                ulimit -c 0 -f "$size"
                exec "${words[@]}" -q -d limited.db import -n new log.po
            )
        } 2>limited.txt
        status=$?
        expect "files of $size KiB, SIGXFSZ: status $status" [ $status -ne 0 ]
        is_intact "files of $size KiB, SIGXFSZ" limited.db new ""
    done
    works_again limited.db "file-size limit"
}

test_full_stdout() {
    local words

    if [ ! -c /dev/full ]; then
        skip "/dev/full: there is none"
        return
    fi
    for words in "report popularity" "report summary --format json" "dump" "traces" "show b" \
        "sql SELECT(1)" "report popularity --format gnuplot" "plot popularity"; do
        faults=$((faults + 1))
        # shellcheck disable=SC2086
        tracetool -q -d base.db $words >/dev/full 2>full.txt
        failed_clearly "$words >/dev/full" $? 1 "cannot write|No space|gnuplot" full.txt
    done
    for words in "report popularity" "dump"; do
        faults=$((faults + 1))
        # shellcheck disable=SC2086
        (tracetool -q -d base.db $words 2>full.txt; echo $? >status) | true
        # The pipe may have accepted the output before it was closed.
        expect "$words, closed pipe: $(cat status)" grep -qx -e 0 -e 141 status
        expect "$words, closed pipe: not a word" [ ! -s full.txt ]
    done
    is_intact "full stdout" base.db new ""
}

# --- file systems of their own ----------------------------------------------------------------------

# in_namespace COMMANDS: runs them by sh with the right to mount; the mounts end with it.
in_namespace() {
    unshare "${namespace[@]}" sh -euc "$1"
}

find_namespace() {
    for words in "-m" "-rm"; do
        read -ra namespace <<<"$words"
        mkdir -p mount
        in_namespace 'mount -t tmpfs -o size=1m none mount' 2>/dev/null && return 0
    done
    return 1
}

test_full_disk() {
    local size least=$(($(stat -c %s base.db) / 1024 + 100))

    for size in $least 1500 3000 6000; do
        in_namespace "mount -t tmpfs -o size=${size}k none mount
            cp base.db mount/full.db
            status=0
            $TRACETOOL -q -d mount/full.db import -n new log.po 2>full.txt || status=\$?
            echo \$status >status
            cp mount/full.db full.db
            for file in mount/full.db-*; do
                [ ! -e \$file ] || cp \$file .
            done"
        failed_clearly "disk of $size KiB" "$(cat status)" 1 "no space left" full.txt
        is_intact "disk of $size KiB" full.db new ""
        rm -f full.db full.db-*
    done
    # The disk for temporary files is full; sorting and large dictionaries need it.
    in_namespace "mount -t tmpfs -o size=16k none mount
        cp base.db full.db
        status=0
        SQLITE_TMPDIR=\$PWD/mount TMPDIR=\$PWD/mount $TRACETOOL -q -d full.db import -n new late.po 2>full.txt ||
            status=\$?
        echo \$status >status"
    if [ "$(cat status)" -eq 0 ]; then
        is_intact "no room for temporary files" full.db new "$LINES_LATE"
    else
        failed_clearly "no room for temporary files" "$(cat status)" 1 "space|disk|full" full.txt
        is_intact "no room for temporary files" full.db new ""
    fi
    in_namespace "mount -t tmpfs -o size=4k none mount
        echo x >mount/taken
        status=0
        $TRACETOOL -q -d base.db plot popularity -o mount/picture.svg 2>full.txt || status=\$?
        echo \$status >status
        ls mount >listing"
    failed_clearly "plot on a full disk" "$(cat status)" 1 "." full.txt
    expect "plot on a full disk leaves no half picture" [ "$(cat listing)" = taken ]
}

# The cache is on a full disk, or on one that becomes full: the query works, and leaves nothing there.
test_full_cache() {
    local size

    tracetool report rw log.po --no-cache >wanted.txt 2>full.txt || fail "rw --no-cache" full.txt
    expect "rw of the log has rows" grep -q '^[a-z]' wanted.txt
    for size in 16 300; do
        in_namespace "mount -t tmpfs -o size=${size}k,mode=700 none mount
            TRACETOOL_CACHE=\$PWD/mount/cache $TRACETOOL report rw log.po >got.txt 2>full.txt
            ls mount/cache >listing"
        check "a log that is asked with a cache of $size KiB" wanted.txt got.txt
        check "what is left in a cache of $size KiB" /dev/null listing
    done
}

test_read_only() {
    # shellcheck disable=SC2016 # the inner shell expands them
    in_namespace 'mkdir -p files; cp base.db files/; mount --bind files mount
        mount -o remount,bind,ro mount
        for words in "import -n new log.po" "remove a" "import --append -n b part2.po"; do
            status=0
            '"$TRACETOOL"' -q -d mount/base.db $words 2>>readonly.txt || status=$?
            echo $status
        done >statuses
        '"$TRACETOOL"' -q -d mount/none.db import -n new log.po 2>>readonly.txt || echo $? >>statuses
        '"$TRACETOOL"' -q -d mount/base.db check
        '"$TRACETOOL"' -d mount/base.db report popularity >report.txt'
    expect "a read-only file system can be reported on" [ -s report.txt ]
    expect "each writing command fails there" [ "$(tr -d '\n' <statuses)" = 1111 ]
    expect "and says so in a line each" [ "$(grep -Ec '^tracetool: .*[Rr]ead-only' readonly.txt)" -eq 4 ]
    is_intact "read-only file system" files/base.db new ""
}

# --- reading stops half way ---------------------------------------------------------------------------

test_cut_input() {
    local packer ending size at status

    for packer in gzip xz zstd; do
        ending=$packer
        $packer -1qc <log.po >"packed.$ending" || continue
        size=$(stat -c %s "packed.$ending")
        cp base.db cut.db
        for at in 7 100 $((size / 3)) $((size * 9 / 10)) $((size - 4)) $((size - 1)); do
            head -c "$at" "packed.$ending" >cut.packed
            tracetool -q -d cut.db import -n new cut.packed 2>cut.txt
            failed_clearly "$packer cut at $at" $? 1 "cut.packed" cut.txt
            head -c "$at" "packed.$ending" | tracetool -q -d cut.db import -n new - 2>cut.txt
            failed_clearly "$packer cut at $at, in a pipe" $? 1 "stdin" cut.txt
            is_intact "$packer cut at $at" cut.db new ""
        done
        tracetool -q -d cut.db import --append -n b "packed.$ending" cut.packed 2>cut.txt
        failed_clearly "$packer cut, second of two" $? 1 "cut.packed" cut.txt
        is_intact "$packer cut, second of two" cut.db b "$LINES_PART"
    done
}

# A pipe whose writer dies looks complete: the received part is a whole trace.
test_cut_pipe() {
    cp base.db cut.db
    rm -f pipe
    mkfifo pipe
    head -n 1000 log.po >pipe &
    tracetool -q -d cut.db import -n new pipe 2>cut.txt
    expect "pipe closed early" [ $? -eq 0 ]
    wait
    is_intact "pipe closed early" cut.db new 1000
    # A read error; /proc/self/mem fails at its beginning.
    if [ -e /proc/self/mem ]; then
        tracetool -q -d cut.db import --join -n late part2.po /proc/self/mem 2>cut.txt
        failed_clearly "read error in the second file" $? 1 "cannot read" cut.txt
        is_intact "read error in the second file" cut.db late ""
    fi
}

# --- others at the database -----------------------------------------------------------------------------

# Another program holds the lock for SECONDS; sets $locker.
hold_lock() {
    rm -f locked
    (
        echo 'BEGIN EXCLUSIVE;'
        echo '.shell touch locked'
        sleep "$2"
        echo 'ROLLBACK;'
    ) | sqlite3 "$1" &
    locker=$!
    while [ ! -e locked ]; do sleep 0.02; done
}

test_locked() {
    if ! command -v sqlite3 >/dev/null; then
        skip "locked: no sqlite3"
        return
    fi
    cp base.db locked.db
    hold_lock locked.db 1
    tracetool -q -d locked.db import -n new log.po 2>locked.txt
    expect "a lock of a second is waited for" [ $? -eq 0 ]
    wait $locker
    is_intact "locked for a second" locked.db new "$LINES_NEW"
    cp base.db locked.db
    hold_lock locked.db 14
    tracetool -q -d locked.db import -n new log.po 2>locked.txt &
    tracetool -d locked.db report popularity >/dev/null 2>reader.txt
    failed_clearly "report, locked for long" $? 1 "another program" reader.txt
    wait $!
    failed_clearly "import, locked for long" $? 1 "another program" locked.txt
    wait $locker
    is_intact "locked for long" locked.db new ""
}

test_at_once() {
    local i

    for ((i = 0; i < (kills + 4) / 5; i++)); do
        cp base.db once.db
        tracetool -q -d once.db import -n new log.po 2>once1.txt &
        tracetool -q -d once.db import -n other part2.po 2>once2.txt
        expect "two imports at once: the second" [ $? -eq 0 ]
        wait $!
        expect "two imports at once: the first" [ $? -eq 0 ]
        is_intact "two imports at once" once.db new "$LINES_NEW"
        is_intact "two imports at once" once.db other "$LINES_PART2"
        # Same name: one of them is refused.
        rm -f once.db
        tracetool -q -d once.db import -n new log.po 2>once1.txt &
        tracetool -q -d once.db import -n new part2.po 2>once2.txt
        set -- $?
        wait $!
        set -- "$1" $?
        expect "the same name twice at once: $1 and $2" [ $(($1 + $2)) -eq 1 ]
        expect "the same name twice at once: sound" tracetool -q -d once.db check
    done
}

# Deletes the file while an import writes it.
test_deleted() {
    local how status

    for how in deleted replaced; do
        cp base.db gone.db
        rm -f pipe
        mkfifo pipe
        start_tracetool -q -d gone.db import -n new pipe 2>gone.txt &
        exec 7>pipe
        head -n 20000 log.po >&7
        sleep 0.3
        rm gone.db
        [ $how = deleted ] || cp base.db gone.db
        exec 7>&-
        wait $!
        status=$?
        faults=$((faults + 1))
        if [ $how = replaced ]; then
            is_intact "database $how" gone.db new ""
        fi
        failed_clearly "database $how" $status 1 "gone.db" gone.txt
        rm -f gone.db gone.db-*
    done
}

# --- all of it --------------------------------------------------------------------------------------------

LINES_PART=3000 LINES_PART2=60000 LINES_NEW=100000
write_log part1.po $LINES_PART 0
write_log part2.po $LINES_PART2 $LINES_PART
write_log log.po $LINES_NEW 500000
# Out of order by more than the window: sorts the whole log.
tail -n 40000 log.po >late.po
head -n 40000 log.po >>late.po
LINES_LATE=80000
if ! make_base; then
    fail "the first imports"
    finish "loss: "
    exit 1
fi
measure

test_kills
test_signals
test_file_size_limit
test_full_stdout
if find_namespace; then
    test_full_disk
    test_full_cache
    test_read_only
else
    skip "full disk, read-only file system: no mount namespace"
fi
test_cut_input
test_cut_pipe
test_locked
test_at_once
test_deleted
echo "faults injected: $faults"
finish "loss: "
