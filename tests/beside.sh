#!/bin/bash
# Imports beside other imports, where one of them reads the database's own files or makes a database
# that the other one uses: nothing that was said to be imported is lost.
#
#     BUILD=build tests/beside.sh [TIMES]     attacks of each kind, default 3; docs/reliability.md: 50
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

times=${1:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export HOME=$work

# What `traces` says of name and events, a line a trace.
traces_of() {
    tracetool -d "$1" traces --format tsv 2>&1 | awk -F '\t' '!/^#/ { print $1, $4 }' | sort
}

# has_traces WHAT DATABASE "NAME EVENTS"…: these and no others, and check is green.
has_traces() {
    local what=$1 database=$2

    shift 2
    printf '%s\n' "$@" | sort >expected.txt
    traces_of "$database" >got.txt
    if ! cmp -s expected.txt got.txt; then
        fail "$what: the traces are not those that were said to be imported" got.txt
    elif ! tracetool -q -d "$database" check >check.txt 2>&1; then
        fail "$what: tracetool check" check.txt
    else
        pass
    fi
}

# --- a folder that holds the database ---------------------------------------------------------------

# Two imports at once into one database: the one of the folder it lies in, as it is called by HOW,
# and one of another log. A third asks for the list of traces meanwhile.
attack_own_folder() {
    local how=$1 link=$2 i first second names

    for ((i = 0; i < times; i++)); do
        rm -rf folder
        mkdir folder
        # Read before the database and behind it: the transaction is long under way by then.
        cp log.po folder/a.po
        cp behind.po folder/z.po
        tracetool -q -d folder/m.db import -n base base.po
        names=("base $LINES_BASE")
        $link
        tracetool -d folder/m.db import -n all folder 2>first.txt &
        first=$!
        sleep "0.$((i % 4))"
        tracetool -q -d folder/m.db import -n other other.po 2>second.txt 7>&- &
        second=$!
        tracetool -d folder/m.db traces >/dev/null 2>&1
        wait $first && names+=("all $((LINES_LOG + LINES_BEHIND))")
        wait $second && names+=("other $LINES_OTHER")
        has_traces "$how, $i" folder/m.db "${names[@]}"
        [ ${#names[@]} -eq 3 ] || fail "$how, $i: an import failed" <(cat first.txt second.txt)
        tracetool -d folder/m.db show all >show.txt 2>&1
        expect "$how, $i: a remark says that the database was passed over" \
            grep -q 'm.db: passed over: it belongs to the database' show.txt
    done
}

# The same with certainty: the database is read, and the last log is a pipe that stays open until
# the second import has had its chance.
attack_while_reading() {
    local name=$1 i first second names

    for ((i = 0; i < times; i++)); do
        rm -rf folder pipe
        mkdir folder
        mkfifo pipe
        tracetool -q -d folder/m.db import -n base base.po
        names=("base $LINES_BASE")
        ln folder/m.db folder/hard
        ln -s m.db folder/soft
        tracetool -q -d folder/m.db import --join -n all log.po "$name" pipe 2>first.txt &
        first=$!
        exec 7>pipe
        cat behind.po >&7
        tracetool -q -d folder/m.db import -n other other.po 2>second.txt 7>&- &
        second=$!
        sleep 0.2
        # A reader would play back the journal of an import that lost its lock.
        [ $((i % 2)) -eq 0 ] || tracetool -d folder/m.db traces >/dev/null 2>&1 7>&-
        exec 7>&-
        wait $first && names+=("all $((LINES_LOG + LINES_BEHIND))")
        wait $second && names+=("other $LINES_OTHER")
        has_traces "$name joined while another one imports, $i" folder/m.db "${names[@]}"
        [ ${#names[@]} -eq 3 ] || fail "$name, $i: an import failed" <(cat first.txt second.txt)
    done
}

no_link() {
    :
}

hard_link() {
    ln folder/m.db folder/linked.po
}

# Named one by one, since links in folders are not followed.
attack_names() {
    local name

    rm -rf folder
    mkdir folder
    tracetool -q -d folder/m.db import -n base base.po
    ln folder/m.db folder/hard
    ln -s m.db folder/soft
    ln -s folder there
    ln -s m.db-journal folder/journal
    for name in folder/m.db folder/hard folder/soft there/m.db ./folder/../folder/m.db \
        there/m.db-journal folder/m.db-wal folder/m.db-shm folder/journal "$PWD/folder/soft"; do
        case $name in *-journal | *journal | *-wal | *-shm) : >"$(readlink -m "$name")" ;; esac
        tracetool -q -d folder/m.db import -n x "$name" 2>alone.txt
        expect "$name alone is refused: $(cat alone.txt)" \
            grep -q '^tracetool: .*it is the open database itself or belongs to it' alone.txt
        tracetool -q -d folder/m.db import -f most -n x "$name" 2>alone.txt
        expect "$name alone is refused with -f" \
            grep -q '^tracetool: .*it is the open database itself or belongs to it' alone.txt
        tracetool -q -d there/soft import --replace --join -n joined base.po "$name" other.po --again 2>joined.txt
        has_traces "$name joined: $(cat joined.txt)" folder/m.db "base $LINES_BASE" \
            "joined $((LINES_BASE + LINES_OTHER))"
        expect "$name joined: the remark" grep -q "passed over: it belongs to the database" \
            <(tracetool -d folder/m.db show joined)
        rm -f folder/m.db-*
    done
    # shellcheck disable=SC2094 # that is what is attacked
    tracetool -q -d folder/m.db import -n x - <folder/m.db 2>alone.txt
    expect "stdin is the database: $(cat alone.txt)" grep -q 'stdin: cannot read: it is the open database' alone.txt
}

# --- a database that a failing import made -----------------------------------------------------------

# The failing one makes the database and deletes it again, the good one starts at any moment of that.
attack_new_database() {
    local i good bad at

    for ((i = 0; i < 5 * times; i++)); do
        rm -f new.db new.db-*
        tracetool -q -d new.db import -n bad nothing.po 2>/dev/null &
        bad=$!
        at=$((i * 7 % 13))
        sleep "0.0$((at / 10))$((at % 10))"
        tracetool -q -d new.db import -n good base.po 2>good.txt &
        good=$!
        tracetool -q -d new.db import -n bad nothing.po 2>/dev/null
        wait $bad
        wait $good || fail "new database, $i: the good import failed" good.txt
        has_traces "new database, $i" new.db "good $LINES_BASE"
    done
}

# The same when the failing one has a write-ahead log by then: it comes through a pipe, which ends when
# the good one waits, and its last line is refused.
attack_new_database_with_log() {
    local i good bad at

    for ((i = 0; i < 2 * times; i++)); do
        rm -f new.db new.db-* pipe
        mkfifo pipe
        tracetool -q -d new.db import --strict -n bad pipe 2>bad.txt &
        bad=$!
        exec 7>pipe
        cat log.po >&7
        for ((at = 0; at < 500; at++)); do
            [ ! -e new.db-wal ] || break
            sleep 0.02
        done
        good=
        if [ $((i % 2)) -eq 0 ]; then
            tracetool -q -d new.db import -n good base.po 2>good.txt 7>&- &
            good=$!
            sleep "0.$((i % 7))"
        fi
        echo "0.5 nothing" >&7
        exec 7>&-
        wait $bad
        expect "new database with a log, $i: $(cat bad.txt)" grep -q 'because of --strict' bad.txt
        if [ -z "$good" ]; then
            expect "new database with a log, $i: nothing is left" [ -z "$(echo new.db* | grep -v '\*')" ]
            continue
        fi
        wait $good || fail "new database with a log, $i: the good import failed" good.txt
        has_traces "new database with a log, $i" new.db "good $LINES_BASE"
        expect "new database with a log, $i: one file" [ "$(echo new.db*)" = new.db ]
    done
}

LINES_BASE=500 LINES_LOG=30000 LINES_BEHIND=60000 LINES_OTHER=3000
write_log base.po $LINES_BASE 0
write_log log.po $LINES_LOG 100000
write_log behind.po $LINES_BEHIND 200000
write_log other.po $LINES_OTHER 300000
: >nothing.po

attack_own_folder "a folder with its database" no_link
attack_own_folder "a hard link to the database" hard_link
attack_while_reading folder/m.db
attack_while_reading folder/soft
attack_while_reading folder/hard
attack_names
attack_new_database
attack_new_database_with_log
finish "beside: "
