#!/bin/bash
# blktrace's binary files against blkparse's text of the same trace: that of the generator, which
# follows blkparse's rules by itself, that of the samples beside the checkout, and what blkparse prints
# where it is installed.
#
#     [SHARED=FOLDER] BUILD=build tests/blktrace.sh [renew]    renew makes the files of testdata anew
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

data=$root/testdata/blktrace
samples=$shared/data/blktrace

# --- what is compared -------------------------------------------------------------------------------

# All but the first line, which names the format, what depends on the files' own size, and losses.
said() {
    # shellcheck disable=SC2086 # a command and its options
    tracetool -d "$1" $2 --format tsv 2>&1 | sed '1d; /^log size\t/d; /^# .* records were lost/d; /^# lost while tracing: /d'
}

# check_same WHAT TEXT-DATABASE DATABASE
check_same() {
    local report

    for report in dump "report summary" "report rw" "report latency" "report process" \
        "report process --by issuer" "report popularity" "report iosize" "report gaps" \
        "report locality" "report timeline" "report stages" "report stages --by process" "report hourly" "report sequences -a D"; do
        said "$2" "$report" >wanted.txt
        said "$3" "$report" >got.txt
        check "$1: $report" wanted.txt got.txt
    done
    check_derived "$1" "$3"
}

# import_trace FILE…: as the trace log of binary.db.
import_trace() {
    rm -f binary.db
    expect "import of ${*##*/}" tracetool -q -d binary.db import --join -n log "$@"
}

shown() {
    tracetool -d "${2:-binary.db}" show log --format tsv | grep "^$1	" | cut -f 2-
}

# --- our own files ----------------------------------------------------------------------------------

generated() {
    build_generator generate-blktrace "$data/generate.c" "$root/testdata/util.c"
    rm -rf made
    ./generate-blktrace made
    [ "$1" != renew ] || cp -r made/* "$data/"
    kept_files made "$data" testdata/blktrace
}

# Each form of the trace is its text. The wall clock is known of all that have notices.
forms() {
    local file start=2014-05-13T16:53:20.123466789

    import_as text.db "$data/expected/trace.txt" --start $start
    for file in two-cpus stream.bin big.bin version-8.bin version-8-big.bin; do
        import_trace "$data/ok/$file"
        check_same "$file" text.db binary.db
    done
    # Without notices nobody has a name, nor is there a wall clock.
    sed -E '/ [CR] +[A-Z]+ |  A  /!s/\[.*\]/[(null)]/' "$data/expected/trace.txt" >nameless.txt
    import_as text.db nameless.txt
    import_trace "$data/ok/kernel.bin"
    check_same kernel.bin text.db binary.db
}

variants() {
    local file

    for file in stream.bin:7-little big.bin:7-big version-8.bin:8-little version-8-big.bin:8-big; do
        import_trace "$data/ok/${file%:*}"
        expect "${file%:*}: variant" [ "$(shown variant)" = "${file#*:}" ]
        expect "${file%:*}: format" [ "$(shown format)" = blktrace ]
    done
}

# A process that was renamed has either name from its time on, on all CPUs.
renamed() {
    import_trace "$data/ok/renamed"
    sqlite3 binary.db "SELECT e.address, a.name FROM event AS e JOIN actor AS a ON a.id = e.actor
        ORDER BY e.id" >got.txt
    printf '%s\n' '0|sh' '16|sh' '8|dd' '24|dd' '32|sh' >wanted.txt
    check "renamed: names at their times" wanted.txt got.txt
}

# --- files of CPUs ----------------------------------------------------------------------------------

# traces_of WORD…: what import makes of these words: the names of its traces.
traces_of() {
    rm -f words.db
    tracetool -q -d words.db import "$@" 2>words.txt
    tracetool -d words.db traces --format tsv 2>>words.txt | grep -v "^#" | cut -f 1 | sort | paste -sd" "
}

files_of_cpus() {
    rm -rf cpus
    cp -r "$data/ok/two-cpus" cpus
    expect "files of one name are one trace" [ "$(traces_of cpus/disk.blktrace.*)" = disk ]
    cp words.db both.db
    expect "so is the name alone" [ "$(traces_of cpus/disk)" = disk ]
    expect "and the name in its folder" [ "$(cd cpus && traces_of disk)" = disk ]
    gzip cpus/disk.blktrace.1
    expect "so they are packed" [ "$(traces_of cpus/disk)" = disk ]
    tracetool -d both.db dump >wanted.txt
    tracetool -d words.db dump >got.txt
    check "packed files of CPUs" wanted.txt got.txt
    gunzip cpus/disk.blktrace.1.gz
    for number in 0 1; do
        expect "so is one of them, with what lies beside it" \
            [ "$(traces_of cpus/disk.blktrace.$number)" = disk ]
        tracetool -d words.db dump >got.txt
        check "one file of a CPU" wanted.txt got.txt
        rm -f words.db
        tracetool -d words.db import cpus/disk.blktrace.$number 2>&1 | head -1 >got.txt
        echo "cpus/disk.blktrace.$number: also read, as files of the same trace:" \
            "cpus/disk.blktrace.$((1 - number)) (not with --only-this)" >said.txt
        check "and it is said" said.txt got.txt
    done
    (cd cpus && tracetool -q -d ../words.db import -n here --again disk.blktrace.0)
    sqlite3 words.db 'SELECT name FROM source WHERE trace = 2 ORDER BY name' >got.txt
    printf 'disk.blktrace.%s\n' 0 1 >said.txt
    check "in its own folder" said.txt got.txt
    for number in 0 1; do cp "$data/ok/renamed/x.blktrace.$number" cpus/; done
    expect "two names are two traces" \
        [ "$(traces_of cpus/disk.blktrace.* cpus/x.blktrace.*)" = "disk x" ]
    expect "-n needs one" [ -z "$(traces_of -n one cpus/disk.blktrace.0 cpus/x.blktrace.*)" ]
    expect "a folder is one" [ "$(traces_of cpus)" = cpus ]
    rm -f words.db
    expect "the first one alone" \
        tracetool -q -d words.db import --only-this -n log cpus/x.blktrace.0
    shown remark words.db >got.txt
    echo "cpus/x.blktrace.1 lies beside the files of this trace and is not one of them: what one CPU" \
        "issued another may have completed" >wanted.txt
    check "a file that lies beside" wanted.txt got.txt
    : >cpus/x.blktrace.5
    rm -f words.db
    expect "with gaps and empty ones" tracetool -q -d words.db import -n log cpus/x.blktrace.*
    shown remark words.db | sort >got.txt
    printf '%s\n' 'cpus/x.blktrace.5: passed over: the file is empty' \
        '3 files of CPUs are missing: cpus/x.blktrace.2, cpus/x.blktrace.3, cpus/x.blktrace.4' |
        sort >wanted.txt
    check "missing files" wanted.txt got.txt
    rm -f words.db
    tracetool -q -d words.db import nosuch 2>got.txt
    expect "no file and no files of CPUs" grep -q '^tracetool: nosuch: ' got.txt
}

pieces() {
    import_trace "$data/ok/two-cpus"
    listing binary.db >wanted.txt
    import_trace "$data/ok/two-cpus/disk.blktrace.1" "$data/ok/two-cpus/disk.blktrace.0"
    listing binary.db >got.txt
    check "in another order" wanted.txt got.txt
    import_trace <(cat "$data/ok/two-cpus/disk.blktrace.1") \
        <(cat "$data/ok/two-cpus/disk.blktrace.0")
    listing binary.db | sort >got.txt
    sort -o wanted.txt wanted.txt
    check "pipes" wanted.txt got.txt
    import_as binary.db --only-this "$data/ok/two-cpus/disk.blktrace.0"
    expect "appended" tracetool -q -d binary.db import --append -n log \
        "$data/ok/two-cpus/disk.blktrace.1"
    listing binary.db | sed 's/ .*//' | sort >got.txt
    sed -i 's/ .*//' wanted.txt
    check "appended: times" wanted.txt got.txt
}

# Of one stream, what is further out of order than the window is taken where it stands, and said.
far_steps() {
    local first=$data/ok/two-cpus/disk.blktrace.0

    cat "$first" "$first" "$first" "$first" "$first" "$first" >ahead.bin
    cat ahead.bin "$data/ok/two-cpus/disk.blktrace.1" ahead.bin ahead.bin >far.bin
    import_trace far.bin
    expect "far out of order: said" grep -q 'by more than 1024 records' <(shown remark)
    check_derived "far out of order" binary.db
}

# --- damage -----------------------------------------------------------------------------------------

damaged_files() {
    import_as binary.db "$data/damaged/unknown-act.bin"
    expect "acts that are not known are named" \
        [ "$(shown remark)" = "acts that are not known, and how many of each: 77 (1)" ]
    # What was lost stands in the head of each report.
    import_as binary.db "$data/damaged/gap.bin"
    tracetool -d binary.db report rw --format tsv | head -n 1 >got.txt
    tracetool -d binary.db dump | head -n 1 >>got.txt
    tracetool -d binary.db report rw --format json | grep -o '"rejected":0,"lost":6' >>got.txt
    printf '%s\n' '# trace log: blktrace, 10 events, 0 rejected, 6 lost' \
        '# trace log: blktrace, 10 events, 0 rejected, 6 lost' '"rejected":0,"lost":6' >wanted.txt
    check "losses in the head" wanted.txt got.txt
}

# --- the samples, and blkparse ----------------------------------------------------------------------

sampled() {
    local name start

    if [ ! -e "$samples" ]; then
        skip "samples: there is no $samples"
        return
    fi
    for name in clean split big gap cut; do
        import_trace "$samples/$name".blktrace.*
        start=$(sqlite3 binary.db "SELECT strftime('%Y-%m-%dT%H:%M:%S', start / 1000000000, 'unixepoch')
            || printf('.%09d', start % 1000000000) FROM trace")
        if [ -n "$start" ]; then
            import_as text.db "$samples/$name.txt" --start "$start"
        else
            import_as text.db "$samples/$name.txt"
        fi
        check_same "$name" text.db binary.db
    done
    import_trace "$samples/clean.blktrace.0" "$samples/clean.blktrace.1"
    # 1795303000.123456789 at 3742499727180 ns, the first I/O at 3742504186045.
    expect "clean: wall clock" [ "$(sqlite3 binary.db 'SELECT start FROM trace')" -gt 1795303000123456789 ]
    import_trace "$samples/gap.blktrace.0"
    expect "gap: 11 records are lost" grep -q ' 0 rejected, 11 lost$' \
        <(tracetool -d binary.db report rw --format tsv)
    # blkparse knows neither cgroups nor version 8.
    import_trace "$samples/odd.blktrace.0"
    expect "odd: an event more than blkparse prints" \
        [ "$(shown events)" -eq $((1 + $(grep '^ ' "$samples/odd.txt" | grep -vc ' m '))) ]
    import_trace "$samples/v8.blktrace.0"
    import_as text.db "$samples/big.txt"
    check_same v8 text.db binary.db
}

# stages_by_btt FILE: what btt says of all devices, as `stages` does: stage, count, min, mean, max in ns.
stages_by_btt() {
    awk -v OFS='\t' '
        /All Devices/ { on = 1 }
        /Device Overhead/ { on = 0 }
        function ns(text) { sub(/[.]/, "", text); return text + 0 }
        on && /^[A-Z]2[A-Z] / { print $1, $5, ns($2), ns($3), ns($4) }' "$1"
}

# check_stages WHAT BTT-FILE: of the trace in binary.db.
check_stages() {
    stages_by_btt "$2" >wanted.tsv
    expect "$1: btt has 8 stages" [ "$(wc -l <wanted.tsv)" -eq 8 ]
    report binary.db stages | cut -f 1-4,8 >got.tsv
    check "$1: stages are btt's" wanted.tsv got.tsv
    sed -n '/#Q *#D *Ratio/,/^$/{ /(/s/.*) |//p; }' "$2" | awk '{ print $1, $2, $3 }' >wanted.txt
    tracetool -d binary.db report stages --format tsv | sed -n 's/^# queued (Q): \([0-9]*\), issued (D): \([0-9]*\), merge ratio: \([0-9.]*\).*/\1 \2 \3/p' |
        awk '{ printf "%d %d %.1f\n", $1, $2, $3 }' >got.txt
    check "$1: merges are btt's" wanted.txt got.txt
}

# Of what btt was kept that it says; with splits it is wrong, and Q2Q, Q2M and M2D are the same.
stages() {
    if [ ! -e "$samples" ]; then
        skip "stages: there is no $samples"
        return
    fi
    import_trace "$samples"/clean.blktrace.*
    check_stages clean "$samples/clean.btt.txt"
    import_trace "$samples"/split.blktrace.*
    stages_by_btt "$samples/split.btt.txt" | grep -E '^(Q2Q|Q2M|M2D)' >wanted.tsv
    report binary.db stages | cut -f 1-4,8 | grep -E '^(Q2Q|Q2M|M2D)' >got.tsv
    check "split: what no split is part of" wanted.tsv got.tsv
    expect "split: each dispatch has one I2D" grep -q '^I2D	261	' <(report binary.db stages)
    expect "split: said" grep -q '^# split (X): 5 requests' \
        <(tracetool -d binary.db report stages --format tsv)
}

# How many others I/Os with data found in flight when they were issued: btt writes the number before and
# after each change.
check_depths() {
    awk 'NR % 2 == 1 { before = $2 } NR % 2 == 0 && $2 > before { seen[before]++ }
        END { for (depth in seen) print depth "\t" seen[depth] }' depth_*_aqd.dat | sort -n >wanted.tsv
    expect "btt tells of depths" [ "$(wc -l <wanted.tsv)" -eq 7 ]
    report binary.db queue --not-class flush | cut -f 1,5 | grep -v '	0$' >got.tsv
    check "depths at issue are btt's" wanted.tsv got.tsv
}

by_btt() {
    if ! command -v btt >/dev/null || [ ! -e "$samples" ]; then
        skip "there is no btt"
        return
    fi
    # btt names its files after the trace, and takes majors 9, 253 and 254 for others.
    (cd "$samples" && blkparse -q -i clean -O -d "$work/clean.bin" && cd "$work" &&
        btt -i clean.bin -o clean -Q depth) >/dev/null 2>&1
    import_trace clean.bin
    check_stages "clean in one stream" clean.avg
    check_depths
    check_seeks Q clean.avg
    check_seeks D clean.avg
}

# check_seeks ACTION BTT-FILE: seeks of the trace in binary.db. btt takes the one to the first I/O for one
# from sector 0, and nothing else for another.
check_seeks() {
    local first

    awk -v of="${1}2$1 Seek" '$0 ~ of { on = 1 }
        on && /^ *Average/ { gsub(/^0[(]|[)]/, "", $7); print $3, $4, $7; exit }' "$2" >wanted.txt
    first=$(tracetool -d binary.db sql --format tsv "SELECT address FROM event JOIN name ON name.id = operation
        WHERE text = '$1' AND size > 0 ORDER BY event.id LIMIT 1" | tail -n 1)
    report binary.db seeks --action "$1" | awk -v first="$first" '/^all/ {
        printf "%d %.1f %d\n", $2 + 1, ($2 * $5 + first) / ($2 + 1), $3 }' >got.txt
    check "seeks of $1 are btt's" wanted.txt got.txt
}

by_blkparse() {
    local file

    if ! command -v blkparse >/dev/null; then
        skip "there is no blkparse"
        return
    fi
    (cd "$data/ok/two-cpus" && blkparse -q -i disk) 2>/dev/null | grep '^ *[0-9]*,' >got.txt
    check "two-cpus: the generator's text is blkparse's" "$data/expected/trace.txt" got.txt
    # One stream as blkparse writes it: the notices in front.
    (cd "$data/ok/two-cpus" && blkparse -q -i disk -O -d "$work/merged.bin") >/dev/null 2>&1
    import_as text.db "$data/expected/trace.txt"
    import_trace merged.bin
    expect "blkparse -d: said" grep -q '^times begin at 0, as blkparse -d' <(shown remark)
    check_same "blkparse -d" text.db binary.db
}

generated "${1:-}"
forms
variants
renamed
files_of_cpus
pieces
far_steps
damaged_files
sampled
stages
by_blkparse
by_btt
finish "blktrace: "
