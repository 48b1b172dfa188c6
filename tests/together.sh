#!/bin/bash
# Tests programs that read and write one database concurrently. Readers see one state and do not wait; writers
# wait for each other and lose nothing, even if some were killed.
#
#     BUILD=build tests/together.sh [TIMES]      attacks per kind, default 2; docs/reliability.md: 50
#
# Tests that need another user or a mount namespace are skipped with a message if there is none.
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

times=${1:-2}
RANDOM=${SEED:-1}
work=$(mktemp -d)
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export HOME=$work
attacks=0

milliseconds() {
    echo $(($(date +%s%N) / 1000000))
}

# took_less WHAT MILLISECONDS BEGIN: checks the time; allows 50 ms more per concurrent job.
took_less() {
    local took=$(($(milliseconds) - $3)) most=$(($2 + 50 * $(load)))

    expect "$1: took $took ms, not less than $most" [ $took -lt $most ]
}

# write_long_log FILE LINES FIRST: writes few lines that fill SQLite's cache, each with its own file.
write_long_log() {
    awk -v lines="$2" -v first="$3" 'BEGIN {
        name = sprintf("%700s", "")
        gsub(" ", "n", name)
        for (i = first; i < first + lines; i++) {
            printf "%d.%09d\tC\tWS\t%d\t8\t%d\tprocess%d\tD\t%s%d\n", i / 50, i % 50 * 1000000,
                i * 8, 100 + i % 7, i % 7, name, i
        }
    }' >"$1"
}

# has_log DATABASE: checks SQLite's header for a write-ahead log.
has_log() {
    [ "$(od -An -tu1 -j18 -N2 "$1" | tr -d ' ')" = 22 ]
}

# at_rest WHAT DATABASE: checks that it is a single file, and sound.
at_rest() {
    expect "$1: sound" tracetool -q -d "$2" check
    expect "$1: nothing lies beside it" [ "$(echo "$2"*)" = "$2" ]
    if has_log "$2"; then
        fail "$1: it keeps a write-ahead log"
    fi
}

rows() {
    tracetool -d "$1" sql "SELECT count(*) FROM event" --format tsv | tail -n 1
}

# --- one moment -----------------------------------------------------------------------------------

# Compares dumps of two traces before and after the first one was continued, which moves it after the second.
test_dump_beside_append() {
    local i before after got

    for ((i = 0; i < times; i++)); do
        attacks=$((attacks + 1))
        cp base.db moment.db
        before=$(tracetool -d moment.db dump -t a -t b | cksum)
        rm -f pipe
        mkfifo pipe
        start_tracetool -d moment.db dump -t a -t b >pipe 2>dump.txt &
        exec 7<pipe
        head -c $((RANDOM % 100000 + 1)) <&7 >begin.txt
        begin=$(milliseconds)
        tracetool -q -d moment.db import --append -n a more.po 2>append.txt ||
            fail "append beside a dump that nobody reads, $i" append.txt
        took_less "append beside a dump that nobody reads, $i" 8000 "$begin"
        got=$(cat begin.txt - <&7 | cksum)
        exec 7<&-
        wait $! || fail "dump beside append, $i" dump.txt
        expect "dump beside append, $i: of one moment" [ "$got" = "$before" ]
    done
    after=$(tracetool -d moment.db dump -t a -t b | cksum)
    expect "the append is there afterwards" [ "$after" != "$before" ]
    at_rest "dump beside append" moment.db
}

# is_of_one_moment: checks that ten copies of a trace have the same number of events, which was valid at some
# time.
is_of_one_moment() {
    local count

    count=$(tracetool -d busy.db dump -t a 2>&1 | grep -c ' + 8 ')
    [ "$count" -ge "$LINES_A" ] && [ $(((count - LINES_A) % LINES_MORE)) -eq 0 ]
}

# Imports repeat; readers see a sound database, and unchanged traces.
test_readers_beside_imports() {
    local i scan dump writer

    cp base.db busy.db
    scan=$(tracetool -d busy.db report latency -t b | cksum)
    dump=$(tracetool -d busy.db dump -t b | cksum)
    rm -f stop
    (
        while [ ! -e stop ]; do
            tracetool -q -d busy.db import --append --again -n a more.po || echo append
            tracetool -q -d busy.db import --replace -n c medium.po || echo replace
            tracetool -q -d busy.db import --replace --again -n d more.po || echo brief
            tracetool -q -d busy.db remove d || echo remove
            tracetool -q -d busy.db import --replace -n a a.po || echo again
        done
    ) >writer.txt 2>&1 &
    writer=$!
    for ((i = 0; i < times; i++)); do
        attacks=$((attacks + 1))
        tracetool -q -d busy.db check >check.txt 2>&1 || fail "check beside imports, $i" check.txt
        expect "scan beside imports, $i" \
            [ "$(tracetool -d busy.db report latency -t b 2>&1 | cksum)" = "$scan" ]
        expect "dump beside imports, $i" is_of_one_moment
        expect "dump beside imports, $i" [ "$(tracetool -d busy.db dump -t b 2>&1 | cksum)" = "$dump" ]
    done
    touch stop
    wait $writer
    expect "imports beside readers: $(head -n 3 writer.txt)" [ ! -s writer.txt ]
    at_rest "readers beside imports" busy.db
}

# --- a long import --------------------------------------------------------------------------------

# Prints the size in bytes of a database and its write-ahead log.
written() {
    stat -c %s "$1" "$1-wal" 2>/dev/null | awk '{ bytes += $1 } END { print bytes + 0 }'
}

# The log comes through a pipe and stops before its end, after more than SQLite's cache was written.
start_long_import() {
    local i

    rm -f pipe
    mkfifo pipe
    start_tracetool -q -d "$1" import -n long pipe 2>import.txt &
    import=$!
    exec 7>pipe
    cat large.po >&7
    for ((i = 0; i < 200 && $(written "$1") < 8000000; i++)); do sleep 0.05; done
}

test_reports_beside_import() {
    local i begin expected

    cp base.db long.db
    expected=$(tracetool -d long.db report rw -t a -t b | cksum)
    start_long_import long.db
    for ((i = 0; i < times; i++)); do
        attacks=$((attacks + 1))
        begin=$(milliseconds)
        expect "report beside an import, $i" \
            [ "$(tracetool -q -d long.db report rw 2>&1 | cksum)" = "$expected" ]
        expect "traces beside an import, $i" [ "$(tracetool -d long.db traces | grep -c most)" = 2 ]
        took_less "reports beside an import, $i" 3000 "$begin"
    done
    exec 7>&-
    wait $import || fail "import beside reports" import.txt
    expect "import beside reports: all rows" [ "$(rows long.db)" = $((LINES_BASE + LINES_LARGE)) ]
    at_rest "reports beside an import" long.db
}

# Two imports: the second waits for the first.
test_imports_beside_imports() {
    local i other

    for ((i = 0; i < times; i++)); do
        attacks=$((attacks + 1))
        cp base.db two.db
        start_long_import two.db
        tracetool -q -d two.db import -n other more.po 2>other.txt 7>&- &
        other=$!
        sleep 0.2
        exec 7>&-
        wait $import || fail "the first of two imports, $i" import.txt
        wait $other || fail "the second of two imports, $i" other.txt
        expect "two imports, $i: all rows" \
            [ "$(rows two.db)" = $((LINES_BASE + LINES_LARGE + LINES_MORE)) ]
        at_rest "two imports, $i" two.db
    done
}

# refused WHAT MESSAGE COMMAND…: checks for status 1 without delay.
refused() {
    local begin status

    begin=$(milliseconds)
    tracetool "${@:3}" >out.txt 2>err.txt
    status=$?
    took_less "$1" 1000 "$begin"
    expect "$1: status $status" [ $status -eq 1 ]
    echo "tracetool: $2" >expected.txt
    check "$1" expected.txt err.txt
}

# The import that creates a database locks it: readers get an error, another import waits. A killed import
# leaves no obstacle.
test_first_import() {
    local other at_work="new.db: holds no traces yet: its first import is still running"

    attacks=$((attacks + 2))
    rm -f new.db
    start_long_import new.db
    if has_log new.db || [ "$(stat -c %s new.db)" -lt 8000000 ]; then
        fail "a first import: it writes to a log"
    fi
    refused "a report beside a first import" "$at_work" -d new.db report rw
    refused "check beside a first import" "$at_work" -d new.db check
    tracetool -q -d new.db import -n other more.po 2>other.txt 7>&- &
    other=$!
    sleep 0.2
    exec 7>&-
    wait $import || fail "a first import" import.txt
    wait $other || fail "an import beside a first one" other.txt
    expect "a first import and another: all rows" [ "$(rows new.db)" = $((LINES_LARGE + LINES_MORE)) ]
    at_rest "a first import and another" new.db

    rm -f new.db
    start_long_import new.db
    kill -KILL $import
    wait $import 2>/dev/null
    exec 7>&-
    refused "a report after a first import was killed" "the database holds no traces" -d new.db report rw
    expect "an import after the first was killed" tracetool -q -d new.db import -n other more.po
    expect "a first import, killed, and another: all rows" [ "$(rows new.db)" = $LINES_MORE ]
    at_rest "a first import, killed, and another" new.db
}

# Another program reads and holds its lock: the import waits, and can be interrupted.
test_interrupted_waiting() {
    local words i begin status reader

    if ! command -v sqlite3 >/dev/null; then
        skip "waiting for a reader: no sqlite3"
        return
    fi
    for words in "import -n new large.po" "import -n new more.po"; do
        cp base.db held.db
        rm -f held hold
        mkfifo hold
        sqlite3 held.db <hold >/dev/null 2>&1 &
        reader=$!
        exec 8>hold
        printf 'BEGIN; SELECT count(*) FROM trace;\n.shell touch held\n' >&8
        while [ ! -e held ]; do sleep 0.02; done
        # shellcheck disable=SC2086
        start_tracetool -q -d held.db $words 2>held.txt 8>&- &
        import=$!
        sleep 1
        begin=$(milliseconds)
        kill -INT $import
        wait $import
        status=$?
        took_less "$words, interrupted beside a reader" 1000 "$begin"
        expect "$words, interrupted beside a reader: status $status" [ $status -eq 130 ]
        # The next import waits until the reader ends.
        # shellcheck disable=SC2086
        tracetool -q -d held.db $words 2>held.txt 8>&- &
        import=$!
        sleep 0.5
        exec 8>&-
        wait $reader
        wait $import || fail "$words, waiting for a reader" held.txt
        at_rest "$words, waiting for a reader" held.db
    done
    # During writing.
    for ((i = 0; i < times; i++)); do
        attacks=$((attacks + 1))
        cp base.db held.db
        start_tracetool -q -d held.db import -n new large.po 2>held.txt &
        import=$!
        sleep "0.$((RANDOM % 10))"
        begin=$(milliseconds)
        kill -INT $import 2>/dev/null
        wait $import
        status=$?
        took_less "SIGINT, $i" 1000 "$begin"
        # It may have finished before the signal.
        expect "SIGINT, $i: status $status" [ "$((status % 130))" -eq 0 ]
        at_rest "SIGINT, $i" held.db
    done
}

# --- what killed programs leave -----------------------------------------------------------------------

# leave_log DATABASE: leaves a database with the log of an import that was killed.
leave_log() {
    cp base.db "$1"
    start_long_import "$1"
    kill -KILL $import
    wait $import 2>/dev/null
    exec 7>&-
    expect "a killed import leaves a log" [ -s "$1-wal" ]
}

test_left_log() {
    local i

    leave_log left.db
    mkdir -p copy
    cp left.db copy/copied.db
    cp left.db left.db-wal left.db-shm copy/
    # A reader recovers it.
    expect "after a killed import: rows" [ "$(rows left.db)" = $LINES_BASE ]
    at_rest "after a killed import" left.db
    # So does a reader through another name.
    leave_log left.db
    ln -sf left.db link.db
    expect "by a link: rows" [ "$(rows link.db)" = $LINES_BASE ]
    rm link.db
    at_rest "by a link" left.db
    expect "copied without its log: rows" [ "$(rows copy/copied.db)" = $LINES_BASE ]
    at_rest "copied without its log" copy/copied.db
    leave_log left.db
    expect "after a killed import, a writer" tracetool -q -d left.db import -n new more.po
    at_rest "after a killed import, a writer" left.db
}

# As a user who may read but not write.
as_reader() {
    # shellcheck disable=SC2086
    setpriv --reuid=65534 --regid=65534 --clear-groups timeout -k 5 120 $TRACETOOL "$@"
}

test_left_log_unwritable() {
    if [ "$(id -u)" -ne 0 ] || ! (cd / && as_reader --version >/dev/null 2>&1); then
        skip "another user: cannot be one"
        return
    fi
    mkdir -p theirs
    for file in copy/left.db*; do
        cp "$file" theirs/
    done
    chmod 755 theirs
    chmod 644 theirs/*
    mkdir -m 700 closed
    expect "another's folder: rows" [ "$(HOME=$PWD/closed as_reader -d theirs/left.db sql \
        'SELECT count(*) FROM event' --format tsv 2>&1 | tail -n 1)" = $LINES_BASE ]
    # Without the index, which cannot be created there: an error, not a guess.
    rm theirs/left.db-shm
    HOME=/ as_reader -d theirs/left.db traces >theirs.txt 2>&1
    expect "another's folder, no index: status 1" [ $? -eq 1 ]
    expect "another's folder, no index: says what to do" grep -q 'where its folder is writable' theirs.txt
    expect "its owner's next command" tracetool -q -d theirs/left.db check
    expect "another's folder, at rest" [ "$(HOME=/ as_reader -d theirs/left.db sql \
        'SELECT count(*) FROM event' --format tsv 2>&1 | tail -n 1)" = $LINES_BASE ]
    at_rest "another's folder" theirs/left.db
}

test_left_log_read_only() {
    local words namespace

    for words in "-m" "-rm"; do
        read -ra namespace <<<"$words"
        unshare "${namespace[@]}" true 2>/dev/null && break
        namespace=()
    done
    if [ ${#namespace[@]} -eq 0 ]; then
        skip "a read-only file system: no mount namespace"
        return
    fi
    mkdir -p mount
    # The database alone, and with its log and index.
    for words in copied left; do
        cp base.db copy/copied.db
        printf '\2\2' | dd of=copy/copied.db bs=1 seek=18 conv=notrunc status=none
        unshare "${namespace[@]}" sh -euc "mount --bind copy mount
            mount -o remount,bind,ro mount
            $TRACETOOL -d mount/$words.db sql 'SELECT count(*) FROM event' --format tsv" >read.txt 2>&1
        expect "read-only file system, $words: $(tail -n 1 read.txt)" \
            [ "$(tail -n 1 read.txt)" = $LINES_BASE ]
    done
}

# The log's index cannot be created: the log is not used.
test_no_index() {
    cp base.db index.db
    mkdir index.db-shm
    expect "no index: import" tracetool -q -d index.db import -n new large.po
    expect "no index: rows" [ "$(rows index.db)" = $((LINES_BASE + LINES_LARGE)) ]
    rmdir index.db-shm
    at_rest "no index" index.db
}

# A journal of the old mode, left by another program.
test_left_journal() {
    local writer

    if ! command -v sqlite3 >/dev/null; then
        skip "a journal: no sqlite3"
        return
    fi
    mkdir -p links
    cp base.db journal.db
    rm -f held hold
    mkfifo hold
    sqlite3 journal.db <hold >/dev/null 2>&1 &
    writer=$!
    exec 8>hold
    printf 'PRAGMA cache_size = 1; BEGIN; UPDATE event SET time = 0;\n.shell touch held\n' >&8
    while [ ! -e held ]; do sleep 0.02; done
    kill -KILL $writer
    wait $writer 2>/dev/null
    exec 8>&-
    expect "a killed program leaves a journal" [ -s journal.db-journal ]
    ln -sf ../journal.db links/link.db
    expect "a journal beside a link: rows" [ "$(rows links/link.db)" = $LINES_BASE ]
    at_rest "a journal beside a link" journal.db
}

# --- all of it ------------------------------------------------------------------------------------------

LINES_A=20000 LINES_B=20000 LINES_MORE=5000 LINES_LARGE=60000
LINES_BASE=$((LINES_A + LINES_B))
write_log a.po $LINES_A 0
write_log b.po $LINES_B 700000
write_log more.po $LINES_MORE $LINES_A
write_long_log large.po $LINES_LARGE 1000000
write_log medium.po 60000 1000000
if ! tracetool -q -d base.db import -n a a.po || ! tracetool -q -d base.db import -n b b.po; then
    fail "the first imports"
    finish "together: "
    exit 1
fi

test_dump_beside_append
test_readers_beside_imports
test_reports_beside_import
test_imports_beside_imports
test_first_import
test_interrupted_waiting
test_left_log
test_left_log_unwritable
test_left_log_read_only
test_no_index
test_left_journal
echo "attacks: $attacks"
finish "together: "
