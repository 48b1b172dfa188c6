#!/bin/bash
# The columns of events (table event_column) against the rows, by a reader of its own (columns.py): of
# every importer, however a trace came to be; and what is done where they are not there or damaged.
#
#     BUILD=build tests/columns.sh
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

data=$root/testdata

several() {
    "$BUILD"/tracetool-kinds "$@"
}

# agree WHAT DATABASE WANTED…: the reader finds what is wanted, a line a trace, and nothing else; so does
# check.
agree() {
    printf '%s\n' "${@:3}" >wanted.txt
    "$python" "$tests"/columns.py "$2" >got.txt 2>&1
    check "$1" wanted.txt got.txt
    expect "$1: check" tracetool -q -d "$2" check
}

# fields DATABASE TRACE: how many fields of its rows have values.
fields() {
    sqlite3 "$1" "SELECT (1 + max(e.duration IS NOT NULL) + max(e.operation IS NOT NULL)
        + max(e.actor IS NOT NULL) + max(e.object IS NOT NULL) + 1 + max(e.address IS NOT NULL)
        + max(e.size IS NOT NULL) + max(e.value IS NOT NULL) + max(e.parent IS NOT NULL)
        + max(e.depth IS NOT NULL) + max(e.self IS NOT NULL) + max(e.issuer IS NOT NULL)
        + max(e.response IS NOT NULL) + max(e.error IS NOT NULL) + max(c.duration IS NOT NULL) + max(c.self IS NOT NULL))
        || ' fields of ' || count(*) || ' events'
        FROM trace AS t JOIN event AS e ON e.id BETWEEN t.first_event AND t.last_event
        LEFT JOIN cpu_time AS c ON c.event = e.id WHERE t.name = '$2'"
}

every_importer() {
    local file

    for file in "$data"/{most/small.po,most/form-b.txt,blkparse/ok/tails.txt,blkparse/ok/kernel.txt} \
        "$data"/{dwtrace/ok/wrapped.dwt,dwtrace/ok/program.dwt,mobigen/small.txt} \
        "$data"/android-trace/ok/{shop-v3-dual,long,backwards}.trace "$data"/most-binary/ok/unix.bin \
        "$data"/palmist/ok/{small.raw,small.txt,small.pdb} "$data"/androtrace/ok/deleted.ufls \
        "$data"/samples/ok/small.smp; do
        expect "import of $file" tracetool -q -d all.db import --again -n "${file#"$data"/}" "$file"
    done
    expect "import of rmp" tracetool -q -d all.db import -n session --join \
        "$data"/rmp/ok/session.probes "$data"/rmp/ok/session.rmp
    while read -r trace; do
        echo "$trace: $(fields all.db "$trace")"
    done < <(sqlite3 all.db 'SELECT name FROM trace ORDER BY id') >all.txt
    mapfile -t lines <all.txt
    agree "every importer" all.db "${lines[@]}"
}

# Calls that end long after their batch, system calls and I/Os, in one log of several batches.
several_log() {
    awk 'BEGIN {
        print "# several"
        for (i = 1; i <= 150000; i++) {
            t = sprintf("%d.%09d", i / 1000, i % 1000 * 1000)
            if (i % 4 == 0) print t, "call", "name" i % 300, i % 70000
            else if (i % 4 == 1) print t, "io", i % 8 == 1 ? "D" : "C", i * 8 % 1000003, 8
            else if (i % 20000 < 16000 ? (i * 7919) % 13 < 9 : (i * 7919) % 13 < 3) {
                print t, "enter", "f" i % 40, i % 3; depth++
            } else print t, "exit", "f" i % 40, i % 3
        }
    }' >several.txt
}

batches() {
    several_log
    several -q -d several.db import -n log several.txt
    while read -r trace; do
        echo "$trace: $(fields several.db "$trace")"
    done < <(sqlite3 several.db 'SELECT name FROM trace ORDER BY id') >several.lines
    mapfile -t lines <several.lines
    agree "several kinds in several batches" several.db "${lines[@]}"
    expect "they are of several chunks" [ "$(sqlite3 several.db \
        "SELECT min(n) FROM (SELECT count(*) AS n FROM event_column WHERE field = 'time' GROUP BY trace)")" -gt 2 ]
    tracetool -q -d several.db remove log.io
    expect "remove takes them along" [ "$(sqlite3 several.db \
        'SELECT count(*) FROM event_column WHERE trace NOT IN (SELECT id FROM trace)')" -eq 0 ]
}

# Lines of MOST's text.
most_lines() {
    awk -v first="$1" -v last="$2" 'BEGIN {
        for (i = first; i <= last; i++) {
            printf "%d.%09d\tC\t%s\t%d\t%d\t1\tapp%d\tD\t\"/f%d\"\n", i / 1000, i % 1000, i % 3 ? "W" : "R",
                8 * (i * 7919 % 100003), 8, i % 7, i % 50
        }
    }'
}

growing() {
    most_lines 1 18000 >one.po
    most_lines 18001 27000 >two.po
    most_lines 40001 40100 >three.po
    tracetool -q -d grow.db import -n a one.po
    tracetool -q -d grow.db import --again -n b two.po
    tracetool -q -d grow.db import --append --again -n a two.po
    agree "a trace that was moved and went on" grow.db "a: $(fields grow.db a)" "b: $(fields grow.db b)"
    tracetool -q -d grow.db import --append --again -n a three.po
    agree "and once more" grow.db "a: $(fields grow.db a)" "b: $(fields grow.db b)"
    tracetool -q -d grow.db import --append --again -n a one.po
    agree "with what is earlier" grow.db "a: $(fields grow.db a)" "b: $(fields grow.db b)"
    tracetool -q -d grow.db import --replace --again -n b three.po
    agree "a trace that was replaced" grow.db "a: $(fields grow.db a)" "b: $(fields grow.db b)"
    { cat two.po; cat one.po; } >late.po
    tracetool -q -d grow.db import --again -n late late.po
    agree "a log that is out of order" grow.db "a: $(fields grow.db a)" "b: $(fields grow.db b)" \
        "late: $(fields grow.db late)"
    printf 'file_types: realtime\n' >types.yaml
    tracetool -q -d grow.db name late --symbols types.yaml
    agree "names" grow.db "a: $(fields grow.db a)" "b: $(fields grow.db b)" "late: $(fields grow.db late)"
}

# edited WHAT SQL: another program's change takes the columns of that trace away, of no other.
edited() {
    cp grow.db edited.db
    sqlite3 edited.db "$2"
    sqlite3 edited.db 'SELECT DISTINCT name FROM event_column JOIN trace ON trace.id = trace ORDER BY 1' >got.txt
    printf 'a\nb\n' >wanted.txt
    check "$1: others keep theirs" wanted.txt got.txt
    expect "$1: show tells" grep -q '^remark.there are no columns' <(tracetool -d edited.db show late)
}

by_hand() {
    local last="(SELECT first_event + 20000 FROM trace WHERE name = 'late')"

    edited "a row changed" "UPDATE event SET size = size + 512 WHERE id = $last"
    tracetool -d edited.db check --repair -t late >got.txt 2>&1
    printf '%s\n' 'trace late: its columns were made anew' 'trace late: its rollups were counted anew' \
        'edited.db: these traces are sound; only without -t is all of the file verified' >wanted.txt
    check "check --repair" wanted.txt got.txt
    agree "what was made anew" edited.db "a: $(fields edited.db a)" "b: $(fields edited.db b)" \
        "late: $(fields edited.db late)"
    edited "a row deleted" "DELETE FROM event WHERE id = $last"
    edited "a row replaced" "INSERT OR REPLACE INTO event (id, time) VALUES ($last, 1)"
    edited "a time of a second clock" "INSERT INTO cpu_time VALUES ($last, 1, 1)"
    edited "one taken back" \
        "INSERT INTO cpu_time VALUES ($last, 1, 1); UPDATE cpu_time SET self = 2; DELETE FROM cpu_time"
    expect "nothing else of it is wrong" tracetool -q -d edited.db check
}

# damaged WHAT SQL FINDING: check finds it, and --repair mends it.
damaged() {
    cp small.db damaged.db
    sqlite3 damaged.db "$2"
    tracetool -q -d damaged.db check >got.txt 2>err.txt
    echo "trace a: its columns $3; \`tracetool check --repair\` makes them anew" >wanted.txt
    check "$1" wanted.txt got.txt
    tracetool -q -d damaged.db check --repair >got.txt 2>&1
    expect "$1: --repair" [ ! -s got.txt ]
    expect "$1: sound then" tracetool -q -d damaged.db check
}

damage() {
    local first a="trace = (SELECT id FROM trace WHERE name = 'a')"

    tracetool -q -d small.db import -n a one.po
    first=$(sqlite3 small.db "SELECT first_event FROM trace WHERE name = 'a'")
    damaged "another value" "DROP TRIGGER event_updated; UPDATE event SET value = 7 WHERE id = $((first + 16400))" \
        "do not agree with its events: value of the events from $((first + 16384)) on"
    damaged "another code" "UPDATE event_column SET data = (SELECT data FROM event_column AS o WHERE $a
        AND field = 'address' AND first = 0) WHERE $a AND field = 'address' AND first = 16384" \
        "are damaged: address of the events from $((first + 16384)) on"
    damaged "another extent" "UPDATE event_column SET least = least + 1 WHERE $a AND field = 'actor'" \
        "are damaged: actor of the events from $first on"
    damaged "another sum" "UPDATE event_column SET sum = sum + 1 WHERE $a AND field = 'actor'" \
        "are damaged: actor of the events from $first on"
    damaged "a field less" "DELETE FROM event_column WHERE $a AND field = 'flags'" \
        "are damaged: flags of the events from $first on"
    damaged "a field more" "INSERT INTO event_column SELECT trace, 'parent', first, count, least, most, sum, NULL,
        data FROM event_column WHERE $a AND field = 'operation'" \
        "are damaged: parent of the events from $first on"
    damaged "an unknown field" "INSERT INTO event_column VALUES ((SELECT id FROM trace WHERE name = 'a'),
        'x', 0, 1, 0, 0, 0, NULL, x'')" "hold more than its events"
    damaged "a chunk less" "DELETE FROM event_column WHERE $a AND first = 16384" \
        "do not hold event $((first + 16384))"
    damaged "a chunk that is too long" "UPDATE event_column SET count = 1 << 40 WHERE $a AND first = 0" \
        "do not hold event $first"
    for data in "x''" "x'00'" "substr(data, 1, length(data) - 1)" "data || x'00'" "'text'" \
        "CAST(x'ff' || substr(data, 2) AS BLOB)" "CAST(substr(data, 1, 1) || x'ff' || substr(data, 3) AS BLOB)" \
        "CAST(substr(data, 1, 2) || x'ffff' || substr(data, 5) AS BLOB)" "zeroblob(1 << 20)"; do
        damaged "data $data" "UPDATE event_column SET data = $data WHERE $a AND field = 'size'
            AND first = 16384" "are damaged: size of the events from $((first + 16384)) on"
    done
}

# Rows that an interrupted version, or another program, left behind are taken out, and only these.
strangers() {
    cp small.db damaged.db
    sqlite3 damaged.db "INSERT INTO event_column SELECT 99, field, first, count, least, most, sum, fields, data
            FROM event_column WHERE field = 'size';
        INSERT INTO name (trace, kind, text) VALUES (99, 'action', 'C')" 'SELECT count(*) FROM event_column
            WHERE trace = 99' >count.txt
    echo "tracetool: $(($(cat count.txt) + 1)) rows of no trace were deleted" >wanted.txt
    printf 'tracetool: damaged.db: sound\n' >>wanted.txt
    tracetool -q -d damaged.db check 2>&1 | tail -n 1 >got.txt
    echo "tracetool: damaged.db: 2 things are wrong; \`tracetool check --repair\` mends that" >repair.txt
    check "rows of no trace: what mends that" repair.txt got.txt
    tracetool -d damaged.db check --repair 2>&1 | sed 's/^tracetool: //; s/^/tracetool: /' >got.txt
    check "rows of no trace" wanted.txt got.txt
    expect "sound without rows of no trace" tracetool -q -d damaged.db check
}

# Traces go, and others of their ids come, while one before them is looked at.
repair_beside() {
    local i

    awk 'BEGIN {
        for (i = 0; i < 300000; i++)
            printf "%d.%09d\tC\tW\t%d\t8\t%d\tp%d\tD\tf%d\n", i / 50, i % 50 * 1000000, i * 8, i % 7, i % 7, i % 9
    }' >long.po
    head -n 5000 long.po >short.po
    tail -n 9000 long.po >other.po
    rm -f beside.db
    tracetool -q -d beside.db import -n a long.po
    cp beside.db kept.db
    for i in 0 0.05 0.1 0.15 0.2 0.3; do
        cp kept.db beside.db
        tracetool -q -d beside.db import -n b short.po
        tracetool -q -d beside.db check --repair >got.txt 2>&1 &
        sleep $i
        tracetool -q -d beside.db remove b && tracetool -q -d beside.db import -n c other.po &&
            tracetool -q -d beside.db import -n b short.po
        wait $!
        expect "repair beside remove and import after $i s: status" [ $? = 0 ]
        [ ! -s got.txt ] || fail "repair beside remove and import after $i s" got.txt
        tracetool -d beside.db check >got.txt 2>&1 || fail "sound after repair beside others, $i s" got.txt
        pass
    done
}

# Another python3 may come before Debian's, which has the package.
python=python3
for one in /usr/bin/python3 python3; do
    ! "$one" -c 'import xxhash' 2>/dev/null || python=$one
done
"$python" -c 'import xxhash' 2>/dev/null || skip "sums by another program: there is no python3-xxhash"
every_importer
batches
growing
by_hand
damage
strangers
repair_beside
finish "columns: "
