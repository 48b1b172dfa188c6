#!/bin/bash
# Databases made of others: with pseudonyms (no original name in any byte of the file, all reports the
# same but for names), and merged (every trace says what it said).
#
#     BUILD=build tests/copies.sh
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

data=$root/testdata

# take DATABASE [OPTION…] FILE…: imports files of ours.
take() {
    tracetool -q -d "$1" import "${@:2}" 2>import.txt || fail "import of ${*:2}" import.txt
}

make_databases() {
    mkdir -p "Nadia's logs"
    cp "$data/palmist/ok/small.pdb" "Nadia's logs/nadia.pdb"
    take log.db --user Nadia --device "Nadia's phone" "Nadia's logs/nadia.pdb"
    {
        echo '7 1.0 nadias_call(3, nadia_field=4, nadia: 5, nadia(6), st_mode=7, nadia_addr=8, NADIA) = -1 ENADIA (Nadia) <0.1>'
        echo '7 2.0 openat(AT_FDCWD, "/home/nadia/x", O_RDONLY) = -1 ENOENT (No such file or directory) <0.1>'
        echo '7 3.0 nadia(3) = 5 <0.1>'
    } >"Nadia's logs/nadia.strace"
    take log.db "Nadia's logs/nadia.strace"
    take log.db --study Fieldwork "$data/blkparse/ok/kernel.txt"
    take log.db "$data/strace/ok/names.strace"
    take log.db -n spans "$data/dwtrace/ok/program.dwt"
    take log.db "$data/rmp/ok/session.rmp"
    take log.db "$data/android-trace/ok/shop-v3-dual.trace"
    take log.db "$data/ftrace/ok/together.txt"
    take log.db "$data/androtrace/ok/session.uio"
    take other.db "$data/mobibench/ok/output.txt"
    take other.db "$data/samples/ok/small.smp"
    take other.db "$data/fio-iolog/ok/version3.log"
    take other.db "$data/ftrace/ok/files.txt"
    take other.db "$data/dwtrace/ok/stray.dwt"
    take other.db --join "$data"/blktrace/ok/two-cpus
    take other.db "$data/palmist/ok/reset.raw"
    take other.db "$data/rmp/ok/backwards.rmp"
}

# said DATABASE: every report of each trace, and what is listed, to stdout.
said() {
    local report trace

    tracetool -d "$1" reports --format tsv | grep -v '^#' | cut -f1 | sort -u >reports.txt
    while read -r report; do
        echo "=== $report"
        tracetool -d "$1" report "$report" --by-trace --format tsv 2>&1
    done <reports.txt
    sqlite3 -readonly "$1" 'SELECT name FROM trace ORDER BY id' >names.txt
    while read -r trace; do
        echo "=== show $trace"
        tracetool -d "$1" show "$trace" --format tsv 2>&1
    done <names.txt
}

# --- merged -------------------------------------------------------------------------------------

# each_said DATABASE FOLDER: of each trace of other.db, in a file of its name.
each_said() {
    local trace

    mkdir -p "$2"
    sqlite3 -readonly other.db 'SELECT name FROM trace' >names.txt
    while read -r trace; do
        {
            tracetool -d "$1" show "$trace" --format tsv
            tracetool -d "$1" dump -t "$trace" --format tsv
            for report in summary latency calltree process; do
                tracetool -d "$1" report "$report" -t "$trace" --format tsv 2>&1 | grep -v '^tracetool: report'
            done
        } >"$2/$trace" 2>&1
    done <names.txt
}

test_merge() {
    expect "merge" tracetool -q merge log.db other.db -o all.db
    check_derived "merged" all.db
    each_said other.db before
    each_said all.db after
    expect "merge: traces" [ "$(find before -type f | wc -l)" -ge 8 ]
    diff -r before after >got.txt
    check "merge: every trace says what it said" /dev/null got.txt
    for table in source ledger remark partition; do
        for file in log other all; do
            sqlite3 -readonly $file.db "SELECT x.*, t.name FROM $table AS x JOIN trace AS t ON t.id = x.trace" |
                sed 's/^[0-9]*|[0-9]*|//' >$file.rows
        done
        sort log.rows other.rows >wanted.txt
        sort all.rows >got.txt
        [ $table = source ] && sed -i 's/[0-9]*|[0-9]*|\([^|]*\)$/\1/' wanted.txt got.txt
        check "merge: rows of $table" wanted.txt got.txt
    done
    expect "merge: columns of all traces" [ "$(sqlite3 -readonly all.db 'SELECT count(DISTINCT trace) FROM event_column')" \
        = "$(sqlite3 -readonly all.db 'SELECT count(*) FROM trace WHERE first_event NOT NULL')" ]
    expect "merge: log.db is as it was" cmp -s log.db log.kept
}

# refused WHAT WORDS COMMAND…: says these words, and leaves nothing.
refused() {
    tracetool "${@:3}" >out.txt 2>err.txt
    expect "$1: status $?" [ ! -s out.txt ]
    grep -qF -- "$2" err.txt || fail "$1 says what is wrong" err.txt
    expect "$1 leaves nothing" [ -z "$(ls new.db* 2>/dev/null)" ]
}

# --- pseudonyms ---------------------------------------------------------------------------------

test_pseudonyms() {
    expect "pseudonymise" tracetool -q pseudonymise all.db -o safe.db --key key
    expect "the key is its owner's" [ "$(stat -c %a key)" = 600 ]
    expect "a key is 64 digits" grep -qx '[0-9a-f]\{64\}' key
    check_derived "with pseudonyms" safe.db
    expect "nothing is free in the file" [ "$(sqlite3 -readonly safe.db 'PRAGMA freelist_count')" = 0 ]
    python3 "$tests/pseudonyms.py" names key all.db safe.db >got.txt 2>&1
    check "no original name in the file" /dev/null got.txt
    expect "the log's own names are gone" [ "$(grep -aci nadia safe.db)" = 0 ]
    expect "known names stay" [ "$(sqlite3 -readonly safe.db "SELECT group_concat(text, ' ') FROM (SELECT DISTINCT text
        FROM name WHERE text IN ('openat', 'ENOENT') ORDER BY 1)")" = 'ENOENT openat' ]
    expect "there are no arguments" [ "$(sqlite3 -readonly safe.db 'SELECT count(arguments) FROM event')" = 0 ]
    sqlite3 -readonly all.db "SELECT trace, count(*) || ' remark' || iif(count(*) = 1, '', 's') ||
        ' of the import left out: ' || iif(count(*) = 1, 'it', 'they') || ' may hold names' FROM remark
        WHERE text NOT LIKE 'completions on %' GROUP BY trace" >wanted.txt
    sqlite3 -readonly safe.db "SELECT trace, text FROM remark WHERE text NOT LIKE 'completions on %'" >got.txt
    check "remarks are counted" wanted.txt got.txt
    said all.db >wanted.txt
    said safe.db >said.txt
    python3 "$tests/pseudonyms.py" same key all.db said.txt wanted.txt >got.txt 2>&1
    check "all reports are the same but for names" /dev/null got.txt
    tracetool -q pseudonymise all.db -o again.db --key key
    expect "the same key gives the same" cmp -s safe.db again.db
    tracetool -q pseudonymise all.db -o another.db
    sqlite3 -readonly safe.db 'SELECT name FROM trace' >wanted.txt
    sqlite3 -readonly another.db 'SELECT name FROM trace' >got.txt
    expect "another key gives others" [ -z "$(sort wanted.txt got.txt | uniq -d)" ]
    tracetool -q pseudonymise all.db -o one.db --key key -t names.strace
    expect "one trace" [ "$(sqlite3 -readonly one.db 'SELECT count(*), sum(events) FROM trace')" = '1|37' ]
    check_derived "one trace with pseudonyms" one.db
}

# The vendor's list of symbols gives functions their names by their numbers: not in the copy.
test_symbols_find_nothing() {
    local place

    for place in all safe; do
        cp $place.db named.db
        sqlite3 -readonly named.db "SELECT text FROM name WHERE kind IN ('component', 'function')" | sort >$place.before
        sqlite3 -readonly named.db "SELECT name FROM trace WHERE format = 'dwtrace' ORDER BY id LIMIT 1" >names.txt
        tracetool -q -d named.db name "$(cat names.txt)" --symbols "$data/dwtrace/symbols.yaml" 2>>name.txt
        sqlite3 -readonly named.db "SELECT text FROM name WHERE kind IN ('component', 'function')" | sort >$place.after
    done
    expect "a list of symbols names functions of the log" [ "$(comm -13 all.before all.after | wc -l)" -ge 5 ]
    check "a list of symbols names nothing in the copy" safe.before safe.after
}

# An export with pseudonyms is that of the database with pseudonyms. Parquet needs a library of its own; it is
# made of what csv writes.
test_exports() {
    local format name other count=0

    sqlite3 -readonly -separator ' ' all.db 'SELECT id, name FROM trace' >names.txt
    while read -r id name; do
        other=$(sqlite3 -readonly safe.db "SELECT name FROM trace WHERE id = $id")
        for format in $(tracetool exports --format tsv | grep -v -e '^#' -e '^parquet' | cut -f1); do
            tracetool -q -d safe.db export "$other" --as "$format" -o wanted.txt 2>err.txt || continue
            tracetool -q -d all.db export "$name" --as "$format" -o got.txt --pseudonymise --key key
            check "export of $name as $format" wanted.txt got.txt
            echo "$format" >>tried.txt
            count=$((count + 1))
        done
    done <names.txt
    expect "exports: $count" [ "$count" -ge 30 ]
    tracetool exports --format tsv | grep -v -e '^#' -e '^parquet' | cut -f1 | sort >wanted.txt
    sort -u tried.txt >got.txt
    check "every exporter has a trace here that it can be made of" wanted.txt got.txt
    tracetool -q -d all.db export names.strace --as mobigen --real-paths --pseudonymise --key key >got.txt
    expect "files of a replay" grep -q '\.db' got.txt
    python3 "$tests/pseudonyms.py" names key all.db got.txt >names.got 2>&1
    check "no original name in a replay" /dev/null names.got
    refused "--key alone" "--key is for --pseudonymise" -d log.db export names.strace --as mobigen --key key
}

# A page with pseudonyms is that of a database with pseudonyms.
test_page() {
    mkdir -p by-hand temporary
    tracetool -q pseudonymise all.db -o by-hand/pseudonyms.db --key key -t names.strace -t session.uio
    tracetool -q -d by-hand/pseudonyms.db page -o wanted.html --no-plots summary popularity files process
    TMPDIR=$PWD/temporary tracetool -q -d all.db page -o got.html --no-plots summary popularity files process \
        --pseudonymise --key key -t names.strace -t session.uio
    expect "a page with pseudonyms" cmp wanted.html got.html
    python3 "$tests/pseudonyms.py" names key all.db got.html >got.txt 2>&1
    check "no original name in a page" /dev/null got.txt
    TMPDIR=$PWD/temporary tracetool -q -d all.db page --compare spans stray.dwt -o got.html --no-plots \
        --pseudonymise --key key functions 2>err.txt
    expect "a comparison with pseudonyms" grep -q "$(sqlite3 -readonly safe.db "SELECT name FROM trace ORDER BY id LIMIT 1 OFFSET 4")" got.html
    python3 "$tests/pseudonyms.py" names key all.db got.html >got.txt 2>&1
    check "no original name in a comparison" /dev/null got.txt
    expect "no copy is left" [ -z "$(ls temporary)" ]
    refused "a page by a name" "--process chooses by a name" -d all.db page -o new.db --pseudonymise --process worker
}

# stopped SIGNAL PATTERN COMMAND…: the signal comes as soon as there is a file of this pattern. In the
# background of a shell SIGINT would be ignored.
stopped() {
    local process status signal=$1 pattern=$2

    shift 2
    # shellcheck disable=SC2086
    TMPDIR=$PWD/temporary env --default-signal $TRACETOOL -q "$@" >out.txt 2>err.txt &
    process=$!
    until compgen -G "$pattern" >out.txt || ! kill -0 $process 2>/dev/null; do :; done
    kill -"$signal" $process 2>/dev/null
    wait $process 2>/dev/null
    status=$?
    expect "$1, SIG$signal: status $status" [ $status -eq $((128 + $(kill -l "$signal"))) ]
    expect "$1, SIG$signal leaves nothing" [ -z "$(ls -d stop/* temporary/* 2>/dev/null)" ]
    rm -rf stop temporary
    mkdir stop temporary
}

test_stopped() {
    local signal

    mkdir -p stop temporary
    rm -rf stop/* temporary/*
    write_log large.po 40000 0
    take large.db large.po
    for signal in INT TERM HUP; do
        stopped $signal 'stop/new.db.*.partial' pseudonymise large.db -o stop/new.db --key key
        stopped $signal 'stop/new.db.*.partial' merge large.db other.db -o stop/new.db
        stopped $signal 'temporary/tracetool-*/*.partial' -d large.db page -o stop/new.html --pseudonymise --key key
        stopped $signal 'temporary/tracetool-*/pseudonyms.db' -d large.db page -o stop/new.html --pseudonymise --key key
    done
}

# A removal that is interrupted leaves the trace, and no write-ahead log.
test_removal_stopped() {
    local process status before

    rm -rf stop
    mkdir stop
    before=$(sqlite3 large.db 'SELECT count(*) FROM event')
    for _ in {1..20}; do
        cp large.db stop/x.db
        # shellcheck disable=SC2086
        env --default-signal $TRACETOOL -q -d stop/x.db remove large.po 2>err.txt &
        process=$!
        until [ -e stop/x.db-wal ] || ! kill -0 $process 2>/dev/null; do :; done
        kill -INT $process 2>/dev/null
        wait $process 2>/dev/null
        status=$?
        expect "remove, SIGINT leaves: $(ls stop)" [ "$(ls stop)" = x.db ]
        if [ $status -ne 0 ]; then
            expect "remove, SIGINT: status $status" [ $status -eq 130 ]
            expect "remove, SIGINT: $(cat err.txt)" grep -q 'interrupted; nothing was removed' err.txt
            expect "remove, SIGINT: all is there" [ "$(sqlite3 stop/x.db 'SELECT count(*) FROM event')" = "$before" ]
        fi
    done
    rm -rf stop
}

# What SIGKILL leaves is removed by the next command that makes the same file, unless somebody has it open.
test_killed() {
    local process

    mkdir -p stop
    # shellcheck disable=SC2086
    $TRACETOOL -q pseudonymise large.db -o stop/new.db --key key &
    process=$!
    until compgen -G 'stop/new.db.*.partial' >out.txt || ! kill -0 $process 2>/dev/null; do :; done
    kill -KILL $process
    wait $process 2>/dev/null
    expect "killed: something is left" [ -e "stop/new.db.$process.partial" ]
    touch stop/new.db.1.partial stop/new.db.x.partial stop/new.db.$process.partial.old
    tracetool -q merge large.db other.db -o stop/new.db 2>err.txt
    printf '%s\n' new.db new.db.1.partial new.db.$process.partial.old new.db.x.partial >wanted.txt
    LC_ALL=C ls stop >got.txt
    check "what a killed program left" wanted.txt got.txt
    rm -rf stop
}

# Nothing is written through a link, or to a file, that others put where the file is made.
test_links() {
    local command status target

    mkdir -p stop
    for command in 'merge large.db other.db' 'pseudonymise large.db --key key'; do
        echo mine >stop/victim
        rm -f stop/empty
        # shellcheck disable=SC2016
        for target in victim empty; do
            sh -c 'ln -s '$target' stop/new.db.$$.partial; exec '"$TRACETOOL -q $command"' -o stop/new.db' 2>err.txt
            status=$?
            expect "$command, a link to $target: status $status" [ $status -eq 1 ]
            expect "$command: $(cat err.txt)" grep -q 'partial: is there already' err.txt
            expect "$command: the link stays" [ -n "$(find stop -name '*.partial' -type l)" ]
            rm -f stop/*.partial
        done
        expect "$command: what the link names is as before" [ "$(cat stop/victim)" = mine ]
        expect "$command: nothing is made behind a link" [ ! -e stop/empty ]
        expect "$command: no database is made" [ ! -e stop/new.db ]
    done
    rm -rf stop
}

# --- one moment -----------------------------------------------------------------------------------

# held N COMMAND…: runs it on a copy of before.db, called x.db, and appends to a trace of that while its N-th
# open of it waits. Another program keeps the write-ahead log on, so that the append waits for nobody. False
# when there is no such open.
held() {
    local number=$1 begun=$SECONDS writer

    rm -f hold.* x.db* new.db
    cp before.db x.db
    command python3 -c "import sqlite3, sys
c = sqlite3.connect('x.db')
c.execute('PRAGMA journal_mode = WAL').fetchall()
c.execute('SELECT count(*) FROM trace').fetchall()
print(flush=True)
sys.stdin.read()" <keep >hold.begun &
    writer=$!
    exec 7>keep
    until [ -s hold.begun ]; do
        sleep 0.01
    done
    LD_PRELOAD=$BUILD/hold.so HOLD=/x.db HOLD_AT=$number HOLD_BY=hold tracetool -q "${@:2}" >hold.out 2>hold.err &
    while [ ! -e hold.held ] && kill -0 $! 2>/dev/null; do
        sleep 0.01
    done
    if [ -e hold.held ]; then
        tracetool -q -d x.db import --append -n x more.po 2>append.txt || fail "append beside $2, open $1" append.txt
        touch hold.go
    fi
    wait $!
    hold_status=$?
    exec 7>&-
    wait $writer
    expect "$2 is not held up, open $1" [ $((SECONDS - begun)) -lt 30 ]
    [ -e hold.held ]
}

# one_moment COMMAND…: whatever open of the database is held up, what it says is what it says before the
# append or behind it.
one_moment() {
    local number=0 result=hold.out

    # What is made is a database, or a page, or what is printed.
    case " $* " in *" -o new"*) result=new.db ;; esac
    cp before.db x.db
    rm -f x.db-* new.db
    tracetool -q "$@" >was.out 2>was.err && cp "${result/hold.out/was.out}" was.result
    cp after.db x.db
    rm -f new.db
    tracetool -q "$@" >is.out 2>is.err && cp "${result/hold.out/is.out}" is.result
    while number=$((number + 1)) && held $number "$@"; do
        expect "$1, open $number held up: status $hold_status" [ "$hold_status" = 0 ]
        case $* in
        merge* | pseudonymise*)
            tracetool -d new.db check >check.txt 2>&1 || fail "$1, open $number held up: not sound" check.txt
            for result in was.result is.result new.db; do
                tracetool -d $result sql "SELECT count(*), max(t.events) FROM event, trace AS t
                    WHERE t.id = 1 AND event.id BETWEEN t.first_event AND t.last_event" --format tsv >$result.tsv
            done
            expect "$1, open $number held up: events of two moments" \
                eval 'cmp -s new.db.tsv was.result.tsv || cmp -s new.db.tsv is.result.tsv'
            ;;
        *)
            # shellcheck disable=SC2016
            expect "$*, open $number held up: of two moments" \
                eval 'cmp -s $result was.result || cmp -s $result is.result'
            ;;
        esac
    done
    expect "$* opens its database" [ $number -gt 1 ]
}

test_one_moment() {
    if [ ! -e "$BUILD/hold.so" ]; then
        skip "commands beside an append: there is no $BUILD/hold.so"
        return
    fi
    mkfifo keep
    write_log first.po 700 0
    write_log more.po 300 700
    rm -f before.db after.db
    take before.db -n x first.po
    take before.db -n y "$data/most/small.po"
    take beside.db "$data/blkparse/ok/kernel.txt"
    cp before.db after.db
    tracetool -q -d after.db import --append -n x more.po 2>append.txt || fail "append" append.txt
    one_moment merge x.db beside.db -o new.db
    one_moment merge beside.db x.db -o new.db
    one_moment pseudonymise x.db -o new.db --key key
    one_moment -d x.db page --pseudonymise --key key -o new.db --no-plots summary popularity
    one_moment -d x.db page -o new.db --no-plots summary popularity
    one_moment -d x.db report popularity -t x --from 0
    one_moment -d x.db report rw
    one_moment -d x.db compare x y iosize
    one_moment -d x.db dump -t x
    one_moment -d x.db show x
    one_moment -d x.db export x --as csv
    one_moment -d x.db check
}

make_databases
cp log.db log.kept
test_merge
test_pseudonyms
test_symbols_find_nothing
test_exports
test_page
test_stopped
test_removal_stopped
test_killed
test_links
test_one_moment
finish ""
