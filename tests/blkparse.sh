#!/bin/bash
# Compares what the program says of blkparse logs, and of MOST's form B, with awk over their lines
# and with what was worked out by hand (testdata/blkparse/README.md).
#
#     [SHARED=FOLDER] tests/blkparse.sh [renew]    renew writes testdata/blkparse/expected anew, by awk alone
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

data=$root/testdata/blkparse
most=$root/testdata/most

# --- blkparse's default text, by awk ----------------------------------------------------------------

# by_awk REPORT FILE: only for files without damage.
by_awk() {
    LC_ALL=C awk -v report="$1" '
# Places in the list of names. What has no data is a flush when it has F in front or is a write; a
# SCSI command, with its bytes in brackets behind no sector, is none.
function class_of(rwbs, sector, length_) {
    if (length_ == 0 && rwbs !~ /D/ && (rwbs ~ /^F/ || (rwbs ~ /W/ && sector != ""))) return 4
    if (rwbs ~ /R/) return rwbs ~ /S/ ? 1 : 0
    if (rwbs ~ /W/) return rwbs ~ /S/ ? 3 : 2
    return 5
}

function direction_of(rwbs) {
    return rwbs ~ /D/ ? "D" : rwbs ~ /R/ ? "R" : rwbs ~ /W/ ? "W" : "N"
}

function matched(class, duration) {
    if (!latencies[class]++ || duration < least[class]) least[class] = duration
    if (duration > most[class]) most[class] = duration
    sum[class] += duration
}

# Issue and completion of a flush go by order, of anything else by what it is of.
function follow(time, device, action, rwbs, sector, length_, key) {
    if (rwbs ~ /^F/ && length_ == 0) {
        if (action == "D") flush[device, ++flushes_issued[device]] = time
        else if (flushes_done[device] < flushes_issued[device])
            matched(4, time - flush[device, ++flushes_done[device]])
        return
    }
    key = device SUBSEP sector SUBSEP length_ SUBSEP direction_of(rwbs)
    if (action == "D") issued[key] = time
    else if (key in issued) {
        matched(class_of(rwbs, sector, length_), time - issued[key])
        delete issued[key]
    }
}

{ sub(/\r$/, "") }
/^[ \t]*(#|$)/ { next }
/^CPU:[0-9]+ \[LOST [0-9]+ EVENTS\]$/ { ignored++; next }
!/^ *[0-9]+,[0-9]+ / { ignored++; next }
{
    at = $4 ~ /^[0-9]+[.][0-9]+$/ ? 4 : 3
    action = $(at + 2)
    if (action == "m") { ignored++; next }
    events++
    actions[action]++
    rwbs = $(at + 3)
    rest = $0
    for (i = 1; i <= at + 3; i++) sub(/^ *[^ ]+/, "", rest)
    split($at, parts, ".")
    time = parts[1] * 1000000000 + parts[2]
    sector = rest ~ /^ [0-9]/ ? $(at + 4) : ""
    size = rest ~ /^ [0-9]+ [+] / ? $(at + 6) : 0
    # A request that went on from a device above which was asked for it counts there.
    if (action == "A" && match(rest, /<- \([0-9]+,[0-9]+\) [0-9]+/)) {
        split(substr(rest, RSTART + 4, RLENGTH - 4), from, /\) /)
        if ((from[1], from[2]) in asked && from[1] != $1 || ($1, from[2]) in below)
            below[$1, sector] = 1
    }
    if (action == "Q") asked[$1, sector] = 1
    if (action == "C" && ($1, sector) in below) delete below[$1, sector]
    else if (action == "C") {
        class = class_of(rwbs, sector, size)
        count[class]++
        total++
        bytes[class] += 512 * size
        all_bytes += 512 * size
        empty += size == 0 && class != 4
    }
    if (action == "C" || action == "D") follow(time, $1, action, rwbs, sector, size)
}

END {
    split("read readsync write writesync flush other", name, " ")
    if (report == "ledger")
        printf "read\t%d\nevents\t%d\nignored\t%d\nrejected\t0\n", events + ignored, events, ignored
    else if (report == "popularity")
        for (action in actions) printf "%s\t%d\n", action, actions[action] | "sort"
    else if (report == "zero")
        printf empty ? "# no data: %d I/Os that are not flushes; counted\n" : "", empty
    else
        for (i = 0; i < 6; i++)
            if (report == "rw")
                printf "%s\t%d\t%.6f\t%d\t%.6f\n", name[i + 1], count[i],
                    total ? count[i] / total : 0, bytes[i], all_bytes ? bytes[i] / all_bytes : 0
            else if (latencies[i])
                printf "%s\t%d\t%d\t%d\t%d\n", name[i + 1], latencies[i], least[i],
                    sum[i] / latencies[i] + 0.5, most[i]
}' "$2"
}

by_program() {
    case $1 in
    ledger) tracetool -d log.db show log --format tsv | grep -E '^(read|events|ignored|rejected)	[0-9]*$' ;;
    popularity) report log.db popularity | cut -f 2,3 | sort ;;
    zero) tracetool -d log.db report rw --format tsv | grep '^# no data' ;;
    latency) report log.db latency | cut -f 1-4,8 ;;
    *) report log.db "$1" ;;
    esac
}

# --- whose I/Os they are, by a program that follows every sector by itself --------------------------

# By who asked, by who dispatched, and what that rests on; the latter out of the lines with #.
processes_by_program() {
    {
        report log.db process | awk -F'\t' '{ print "asker\t" $1 "\t" $8 }'
        report log.db process --by issuer | awk -F'\t' '{ print "issuer\t" $1 "\t" $8 }'
        tracetool -d log.db report process --format tsv | awk -F ', ' '
            sub(/^# processes of I\/Os: /, "") {
                for (i = 1; i <= NF; i++) {
                    match($i, /[0-9]+$/)
                    name = $i ~ /\(Q\)/ ? "Q" : $i ~ /\(D\)/ ? "D" : $i ~ /\(C\)/ ? "C" : "none"
                    if (substr($i, RSTART) > 0) print "origin\t" name "\t" substr($i, RSTART)
                }
            }'
    } | LC_ALL=C sort
}

processes_by_lines() {
    local by

    for by in asker issuer origin; do
        python3 "$tests/block_processes.py" "$1" $by | sed "s/^/$by\t/"
    done | LC_ALL=C sort
}

# check_processes FILE: which is imported already.
check_processes() {
    if ! command -v python3 >/dev/null; then
        skip "${1##*/}: processes: there is no python3"
        return
    fi
    processes_by_lines "$1" >wanted.tsv
    processes_by_program >got.tsv
    check "${1##*/}: processes" wanted.tsv got.tsv
}

check_log() {
    local name=${1##*/} report

    import_as log.db "$1"
    for report in ledger popularity rw zero latency; do
        by_awk "$report" "$1" >wanted.tsv
        by_program "$report" >got.tsv
        check "$name: $report" wanted.tsv got.tsv
    done
    check_processes "$1"
    expect "$name: tracetool check" tracetool -q -d log.db check >check.txt
    expect "$name: is blkparse" grep -qx 'format	blkparse' <(tracetool -d log.db show log --format tsv)
}

small_logs() {
    local name report

    for name in tails kernel stacked asked; do
        for report in ledger popularity rw latency; do
            by_awk $report "$data/ok/$name.txt" >got.tsv
            [ "$1" != renew ] || cp got.tsv "$data/expected/$name.$report.tsv"
            check "$name.txt: awk and $report" "$data/expected/$name.$report.tsv" got.tsv
        done
        check_log "$data/ok/$name.txt"
        listing log.db >got.txt
        check "$name.txt: dump" "$data/expected/$name.dump" got.txt
        tracetool -d log.db show log --format tsv | grep '^remark' >got.txt
        check "$name.txt: remarks" "$data/expected/$name.remarks" got.txt
    done
}

# --- damage ------------------------------------------------------------------------------------------

# Pieces of one trace, at once and one after the other: the time goes on counting from the first.
pieces() {
    local log=$data/ok/tails.txt

    head -n 20 "$log" >a.txt
    tail -n +21 "$log" >b.txt
    import_as log.db "$log"
    listing log.db >wanted.txt
    rm -f log.db
    tracetool -q -d log.db import --join -n log a.txt b.txt 2>err.txt
    listing log.db >got.txt
    check "joined pieces" wanted.txt got.txt
    rm -f log.db
    tracetool -q -d log.db import -n log a.txt 2>err.txt &&
        tracetool -q -d log.db import --append -n log b.txt 2>>err.txt
    tracetool -d log.db dump | sed '/^#/d; s/ .*//' >got.txt
    sed -i 's/ .*//' wanted.txt
    check "appended pieces: times" wanted.txt got.txt
}

# shuffle FILE SEED: its lines in another order.
shuffle() {
    python3 -c 'import random, sys
lines = open(sys.argv[1]).readlines()
random.Random(int(sys.argv[2])).shuffle(lines)
sys.stdout.writelines(lines)' "$@"
}

# Each line has a time of its own, so that there is one right order.
any_order() {
    local report way

    python3 "$tests/in_flight.py" log blkparse 2000 5 |
        awk '{ split($4, at, "."); ns = at[2] * 16 + NR; $4 = sprintf("%d.%09d", at[1], ns); print "  " $0 }' >ordered.txt
    shuffle ordered.txt 1 >shuffled.txt
    { grep ' C ' ordered.txt && grep -v ' C ' ordered.txt; } >parts.txt
    split -n l/4 shuffled.txt piece.
    rm -f log.db
    {
        tracetool -q -d log.db import -n ordered ordered.txt
        tracetool -q -d log.db import -n shuffled shuffled.txt
        tracetool -q -d log.db import -n parts parts.txt
        tracetool -q -d log.db import --again -n pipe - <shuffled.txt
        tracetool -q -d log.db import --join -n pieces piece.*
    } 2>err.txt
    for report in rw latency queue stages rate heatmap gaps seeks process summary dump; do
        way=report
        [ $report != dump ] || way=
        for name in ordered shuffled parts pipe pieces; do
            tracetool -d log.db $way $report -t $name 2>&1 | sed '/^# trace/d; /earlier than the record/d' >$name.got
        done
        expect "$report has rows" [ "$(wc -l <ordered.got)" -gt 2 ]
        for name in shuffled parts pipe pieces; do
            check "$name: $report" ordered.got $name.got
        done
    done
    expect "what was earlier is said" \
        grep -q '^# .* records are earlier than the record before' <(tracetool -d log.db report rw -t shuffled)
    tracetool -q -d log.db check >check.txt 2>&1
    expect "and all is sound" [ ! -s check.txt ]
}

# --- one file a CPU ---------------------------------------------------------------------------------

# A log of four CPUs: what one queues and issues another completes, some CPUs stop early, some
# records have one time, one CPU's are now and then out of order by a few records, and there is
# damage on one of them.
make_per_cpu_log() {
    awk 'function out(cpu, ns, pid, action, rwbs, rest) {
            printf "  8,%d %4d %8d %5d.%09d %5d %2s %3s %s\n", disk, cpu, ++sequence[cpu],
                int(ns / 1000000000), ns % 1000000000, pid, action, rwbs, rest
        }
        BEGIN {
            for (i = 0; i < 3000; i++) {
                at = 5000000 + 40000 * i
                disk = i % 3
                sector = 64 + 8 * (i * 7919 % 4000)
                rwbs = i % 5 == 0 ? "R" : "WS"
                from = i % 4
                to = (i * 31 + 3) % (i < 2000 ? 4 : 3) # CPU 3 completes nothing at the end
                what = sector " + 8"
                who = "[p" i % 11 "]"
                out(from, at, 100 + i % 11, "Q", rwbs, what " " who)
                out(from, at + 1000, 100 + i % 11, "D", rwbs, what " " who)
                out(to, at + 12000 + i * 13 % 9000, 0, "C", rwbs, what " [0]")
                if (i % 100 == 50) printf "  8,0 1 damaged line %d\n", i
                if (i % 500 == 250) printf "  8,0    1 %d  5.000000000 1 m N message %d\n", i, i
            }
        }'
}

# check_halves NAME FILE: a file a CPU, imported together in any order, is the log in one piece.
check_halves() {
    local name=$1 report order

    rm -rf cpus
    mkdir cpus
    awk '{ print >("cpus/" $2) }' "$2"
    import_as log.db "$2"
    for order in cpus "cpus/1 cpus/0 $(find cpus -name '[2-9]' | sort | tr '\n' ' ')"; do
        rm -f cpus.db
        # shellcheck disable=SC2086 # several files
        tracetool -q -d cpus.db import --join -n log $order 2>err.txt
        for report in dump "report latency" "report process" "report gaps" "report popularity" \
            "report timeline" "report locality" "report sequences -a D"; do
            # shellcheck disable=SC2086 # a command and its options
            tracetool -d log.db $report --format tsv >wanted.txt 2>&1
            # shellcheck disable=SC2086
            tracetool -d cpus.db $report --format tsv >got.txt 2>&1
            check "$name, a file a CPU: $report" wanted.txt got.txt
        done
        # All of the database but the files and where in them something was.
        sqlite3 log.db .dump | grep -v -e 'INTO source' -e 'INTO ledger' >wanted.txt
        sqlite3 cpus.db .dump | grep -v -e 'INTO source' -e 'INTO ledger' >got.txt
        check "$name, a file a CPU: database" wanted.txt got.txt
        expect "$name, a file a CPU: tracetool check" tracetool -q -d cpus.db check >check.txt
    done
}

# The ledger says which file a damaged line is in, and where.
ledger_of_halves() {
    grep -n damaged cpus/1 >/dev/null || fail "no damage to be found"
    LC_ALL=C grep -b -e damaged cpus/1 | awk -F: '
        NR == 1 { first = $1 } { n++; bytes += length($2) + 1 }
        END { print "rejected\t" n "\t" first "\t" bytes }' >wanted.tsv
    LC_ALL=C grep -b -e ' m N ' cpus/1 | awk -F: 'NR == 1 { first = $1 } { n++ }
        END { print "ignored\t" n "\t" first "\t0" }' >>wanted.tsv
    sqlite3 -separator '	' cpus.db "SELECT outcome, count, first_offset, bytes FROM ledger
        JOIN source ON source.id = source WHERE source.name = 'cpus/1' AND outcome <> 'earlier'
        ORDER BY outcome DESC" >got.tsv
    check "a file a CPU: ledger" wanted.tsv got.tsv
    expect "a file a CPU: ledger of the others" \
        [ "$(sqlite3 cpus.db 'SELECT count(DISTINCT source) FROM ledger')" = 1 ]
    # Messages have times of their own.
    grep -v damaged cpus/1 | awk '$4 < last { n++ } { last = $4 } END { print n + 0 }' >wanted.txt
    sqlite3 cpus.db "SELECT count FROM ledger WHERE outcome = 'earlier'" >got.txt
    check "a file a CPU: records earlier than the one before" wanted.txt got.txt
    for cpu in 0 1 2 3; do echo "cpus/$cpu $(grep -c '^ *8,.* [QDC] ' cpus/$cpu)"; done >wanted.txt
    sqlite3 -separator ' ' cpus.db 'SELECT name, events FROM source ORDER BY name' >got.txt
    check "a file a CPU: events of each" wanted.txt got.txt
}

per_cpu() {
    make_per_cpu_log >per-cpu.txt
    # In order of time, as blkparse prints it: that is the log in one piece.
    sort -s -k 4,4 per-cpu.txt | grep -v -e damaged -e ' m ' >sorted.txt
    check_halves "synthetic log" sorted.txt
    import_as log.db per-cpu.txt
    rm -rf cpus cpus.db
    mkdir cpus
    awk '{ print >("cpus/" $2) }' per-cpu.txt
    tracetool -q -d cpus.db import --join -n log cpus 2>err.txt
    ledger_of_halves
    # A CPU whose records are now and then a few places late, within the window.
    rm -rf late late.db
    mkdir late
    awk '{ print >("late/" $2) }' sorted.txt
    awk 'NR % 50 == 1 { held = $0; next } { print } NR % 50 == 4 { print held }' late/2 >late/x
    mv late/x late/2
    tracetool -q -d log.db import --replace -n log sorted.txt 2>>err.txt
    tracetool -q -d late.db import --join -n log late 2>>err.txt
    awk '$4 < last { n++ } { last = $4 } END { print n + 0 }' late/2 >earlier.txt
    expect "a CPU out of order: how many records" \
        [ "$(sqlite3 late.db "SELECT count FROM ledger WHERE outcome = 'earlier'")" = "$(cat earlier.txt)" ]
    sqlite3 late.db 'SELECT text FROM remark' >remarks.txt
    expect "a CPU out of order: remark" \
        grep -q "^$(cat earlier.txt) records are earlier than the record before" remarks.txt
    sqlite3 late.db "DELETE FROM remark WHERE text LIKE '% earlier than the record before%';
        DELETE FROM ledger WHERE outcome = 'earlier'"
    sqlite3 log.db .dump | grep -v -e 'INTO source' >wanted.txt
    sqlite3 late.db .dump | grep -v -e 'INTO source' >got.txt
    check "a CPU out of order within the window" wanted.txt got.txt
    # Beyond the window all is sorted first.
    rm -f late.db
    { tail -n 1000 late/2; head -n -1000 late/2; } >late/x
    mv late/x late/2
    tracetool -q -d late.db import --join -n log late 2>>err.txt
    sqlite3 late.db "DELETE FROM remark WHERE text LIKE '% earlier than the record before%';
        DELETE FROM ledger WHERE outcome = 'earlier'"
    sqlite3 late.db .dump | grep -v -e 'INTO source' >got.txt
    check "a CPU out of order beyond the window" wanted.txt got.txt
    # Pieces that follow one another, in more files than can be open at once.
    rm -rf pieces pieces.db
    mkdir pieces
    split -l 30 -a 3 -d sorted.txt pieces/
    expect "more pieces than files may be open" [ "$(find pieces -type f | wc -l)" -gt 256 ]
    (ulimit -n 40 && tracetool -q -d pieces.db import --join -n log pieces 2>>err.txt)
    sqlite3 pieces.db .dump | grep -v -e 'INTO source' >got.txt
    check "300 pieces one after another" wanted.txt got.txt
    # Pipes cannot be looked into before.
    rm -f pipes.db
    tracetool -q -d pipes.db import --join -n log <(cat cpus/0) <(grep -v -e ' m ' -e damaged cpus/1) \
        cpus/2 <(cat cpus/3) 2>>err.txt
    sqlite3 pipes.db .dump | grep -v -e 'INTO source' >got.txt
    check "a pipe a CPU" wanted.txt got.txt
    # More overlapping files than can be open.
    rm -rf many many.db
    mkdir many
    for i in $(seq 300); do ln per-cpu.txt "many/$i"; done
    tracetool -q -d many.db import --join --again -n log many 2>got.txt
    expect "300 files side by side: refused" grep -q 'more than 256 files overlap' got.txt
    expect "300 files side by side: nothing is left" [ ! -e many.db ]
}

# --- MOST's form B --------------------------------------------------------------------------------

# What a log says does not depend on the form, but for what only form A knows.
check_same() {
    local report

    import_as log.db "$2"
    check_processes "$2"
    mv log.db a.db
    import_as log.db "$3"
    check_processes "$3"
    for report in rw popularity process "process --by-pid" "process --by issuer" iosize latency hourly gaps; do
        # shellcheck disable=SC2086 # a report and its options
        report a.db $report >wanted.tsv
        # shellcheck disable=SC2086
        report log.db $report >got.tsv
        check "$1: $report" wanted.tsv got.tsv
    done
    expect "$1: is form B" \
        grep -qx 'variant	blkparse-format' <(tracetool -d log.db show log --format tsv)
}

to_form_b() {
    awk -F'\t' -v OFS='\t' '/^[ \r]*$/ { next } { sub(/\r$/, ""); print $1, $2, $3, $4, $5, $6, $7 }' "$1"
}

# check_files WHAT LOG: what form A says of files, by awk over its completions: reads, writes, flushes
# and their bytes by file, and what has none.
check_files() {
    awk -F'\t' '{ for (i = 1; i <= NF; i++) gsub(/^ +| +\r?$/, "", $i) }
        $2 == "C" {
            does = $3 ~ /R/ ? "read" : $5 == 0 ? "flush" : $3 ~ /W/ && $3 !~ /D/ ? "write" : ""
            if (does == "") next
            if (NF > 8 && $9 != "") file[$9]
            n[$9, does]++; b[$9, does] += 512 * $5
        }
        END {
            for (f in file) all += b[f, "read"] + b[f, "write"]
            for (f in file) {
                bytes = b[f, "read"] + b[f, "write"]
                printf "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%.6f\n", f, n[f, "read"], n[f, "write"],
                    n[f, "flush"], b[f, "read"], b[f, "write"], bytes, bytes / all
            }
            printf "# excluded, no file: %d reads of %d bytes, %d writes of %d bytes, %d %s\n",
                n["", "read"], b["", "read"], n["", "write"], b["", "write"], n["", "flush"],
                "flushes; shares are of the rest"
        }' "$2" | sort >wanted.tsv
    rm -f files.db
    tracetool -q -d files.db import -n log "$2"
    tracetool -d files.db report files --format tsv | grep -Ev '^# (trace|units:|file)' | sort >got.tsv
    check "$1: files" wanted.tsv got.tsv
    # By type and process, of the same I/Os: bytes of each file by its type, out of the raw rows.
    sqlite3 -tabs files.db "SELECT ifnull(o.type, ''), sum(e.flags & 7 IN (0, 1)), sum(e.flags & 7 IN (2, 3)),
        sum(e.flags & 7 = 5), sum(iif(e.flags & 7 IN (0, 1), e.size, 0)),
        sum(iif(e.flags & 7 IN (2, 3), e.size, 0)) FROM event AS e JOIN name AS n ON n.id = e.operation
        LEFT JOIN object AS o ON o.id = e.object WHERE n.text = 'C' AND e.flags & 7 <> 4 GROUP BY 1" |
        sort >wanted.tsv
    report files.db files --by type | cut -f 1-6 | sort >got.tsv
    check "$1: files --by type" wanted.tsv got.tsv
    sqlite3 -tabs files.db "SELECT ifnull(a.name, ''), sum(e.flags & 7 IN (0, 1)), sum(e.flags & 7 IN (2, 3)),
        sum(e.flags & 7 = 5), sum(iif(e.flags & 7 IN (0, 1), e.size, 0)),
        sum(iif(e.flags & 7 IN (2, 3), e.size, 0)) FROM event AS e JOIN name AS n ON n.id = e.operation
        LEFT JOIN actor AS a ON a.id = e.actor WHERE n.text = 'C' AND e.flags & 7 <> 4 GROUP BY 1" |
        sort >wanted.tsv
    report files.db files --by process | cut -f 1-6 | sort >got.tsv
    check "$1: files --by process" wanted.tsv got.tsv
}

form_b() {
    check_same "form-b.txt" "$most/small.po" "$most/form-b.txt"
    # By awk: how many lines, actions and completed sectors there are.
    {
        awk -F'\t' '{ n[$2]++ } END { for (a in n) print a "\t" n[a] }' "$most/form-b.txt" | sort
        awk -F'\t' '$2 == "C" { n++; s += $5 } END { print n "\t" 512 * s }' "$most/form-b.txt"
    } >wanted.tsv
    {
        by_program popularity
        report log.db rw | awk -F'\t' '{ n += $2; b += $4 } END { print n "\t" b }'
    } >got.tsv
    check "form-b.txt: counts by awk" wanted.tsv got.tsv
    if [ -e "$shared/data/most/result.po" ]; then
        to_form_b "$shared/data/most/result.po" >result.txt
        check_same "result.po in form B" "$shared/data/most/result.po" result.txt
        check_files "result.po" "$shared/data/most/result.po"
        check_percentiles "result.po" files.db
    else
        skip "result.po: there is no $shared/data/most"
    fi
}

# check_percentiles WHAT DATABASE: of the completed I/Os, by what tells them apart, D2C and Q2C.
check_percentiles() {
    local by name times option

    for by in process file filetype size class; do
        case "$by $1" in
        'file sqlite-on-ext4.txt' | 'filetype sqlite-on-ext4.txt')
            tracetool -d "$2" report percentiles --by "$by" 2>got.txt
            expect "$1: no files" grep -q 'not in the log of trace log: file' got.txt
            continue
            ;;
        esac
        case $by in
        process) name='a.name' ;;
        file) name='o.name' ;;
        filetype) name='o.type' ;;
        size) name='CAST(pow(2, floor(log2(e.size))) AS INTEGER)' ;;
        class) name="io.class" ;;
        esac
        for times in duration: response:--q2c; do
            option=${times#*:}
            percentiles_of "$2" "SELECT $name, e.${times%:*} FROM event AS e
                JOIN name AS n ON n.id = e.operation JOIN io ON io.id = e.id
                LEFT JOIN actor AS a ON a.id = e.actor LEFT JOIN object AS o ON o.id = e.object
                WHERE n.text = 'C'" | sed 's/^\t/-\t/' | sort >wanted.tsv
            # A size of 0 has no logarithm: its row is the one without a name there.
            report "$2" percentiles --by "$by" ${option:+"$option"} | sed 's/^0*\t/-\t/' | sort >got.tsv
            check "$1: percentiles --by $by $option" wanted.tsv got.tsv
            report "$2" latency --by "$by" ${option:+"$option"} | sed 's/^0*\t/-\t/' | sort >got.tsv
            check "$1: latency --by $by $option" wanted.tsv got.tsv
        done
    done
    report "$2" percentiles | cut -f 1-6,8,10 >wanted.tsv
    report "$2" latency | cut -f 1-8 >got.tsv
    check "$1: percentiles and latency" wanted.tsv got.tsv
}

# --- the real log -----------------------------------------------------------------------------------

real_log() {
    local log=$shared/data/blkparse/sqlite-on-ext4.txt

    if [ ! -e "$log" ]; then
        skip "sqlite-on-ext4.txt: there is no $shared/data/blkparse"
        return
    fi
    check_log "$log"
    check_block_io "sqlite-on-ext4.txt" "$log" log.db
    check_halves "sqlite-on-ext4.txt" "$log"
    check_percentiles "sqlite-on-ext4.txt" log.db
    # All requests with a length and all flushes that were issued complete in it.
    report log.db latency | awk -F'\t' '{ n += $2 } END { print n }' >got.txt
    grep -c ' D ' "$log" >wanted.txt
    check "every issued request completes" wanted.txt got.txt
}

# Worked out by hand: merged in front and behind, split, remapped, requeued, completed in pieces, one
# flush for two.
asked() {
    import_as log.db "$data/ok/asked.txt"
    processes_by_program >got.tsv
    check "asked.txt: processes by hand" "$data/expected/asked.processes.tsv" got.tsv
    tracetool -d log.db report process --by issuer --format tsv >got.txt
    expect "asked.txt: without a dispatch" grep -q '^# no dispatcher in the log: 2 I/Os' got.txt
    tracetool -d log.db report process --format tsv >got.txt
    expect "asked.txt: shared" grep -q '^# merged from several processes: 2 I/Os' got.txt
    # The filters go by who asked.
    report log.db process --process front >got.tsv
    expect "asked.txt: --process" [ "$(cut -f 1,8 got.tsv)" = "front	1" ]
    expect "asked.txt: no I/O is a worker's" \
        [ -z "$(report log.db process --process kworker/0:1H)" ]
}

small_logs "${1:-}"
asked
pieces
any_order
per_cpu
form_b
real_log
finish "blkparse: "
