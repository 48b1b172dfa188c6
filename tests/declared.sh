#!/bin/bash
# The formats that are declared in YAML: the same requests in each of them give the same reports, by
# content each is found as itself and nothing else, damage is counted where it is, --append goes on only
# with the same declaration, and what cannot be declared is said with file and line.
#
#     BUILD=build tests/golden/declared-formats.test
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

data=$root/testdata
mapfile -t formats < <(cd "$root/formats" && printf '%s\n' *.yaml | sed 's/\.yaml$//')
formats+=(fio-iolog vscsi)

good_of() {
    printf '%s\n' "$data/$1"/ok/*
}

# DiskSim's and MQSim's are told by the user alone.
options_of() {
    case $1 in disksim | mqsim) echo "-f $1" ;; esac
}

# --- the same requests ----------------------------------------------------------------------------

kept_files_of_all() {
    local format folder

    mkdir made
    python3 -B "$data/declared/generate" made
    for format in "${formats[@]}"; do
        for folder in ok damaged fail; do
            diff -r "made/$format/$folder" "$data/$format/$folder" >diff.txt 2>&1
            expect "$format/$folder is what its generator makes" [ ! -s diff.txt ]
        done
    done
    expect "declared/requests.po is what its generator makes" \
        cmp -s made/declared/requests.po "$data/declared/requests.po"
}

# The figures of the requests, worked out by Python from their lines as MOST's, and by the program from
# each format. A single device: what the formats call it differs.
wanted_figures() {
    local report

    import_as wanted.db "$data/declared/requests.po" -f most
    for report in iosize locality "popularity --of sector"; do
        python3 "$tests/block_io.py" "${report/popularity --of sector/sectors}" \
            "$data/declared/requests.po" >"wanted-${report%% *}.tsv"
    done
    # The requests are neither synchronous nor flushes, which most of these formats could not state: then
    # there are no such rows.
    report wanted.db rw | grep -v -e '^[a-z]*sync	0' -e '^flush	0' >wanted-rw.tsv
}

same_figures() {
    local format file

    for format in "${formats[@]}"; do
        while IFS= read -r file; do
            same_figures_of "$format" "$file"
        done < <(good_of "$format")
    done
}

same_figures_of() {
    # shellcheck disable=SC2046 # options
    import_as good.db "$2" $(options_of "$1")
    report good.db rw | grep -v '^flush	0' >got.tsv
    check "$2: rw" wanted-rw.tsv got.tsv
    check_rows "$2" wanted-iosize.tsv good.db iosize
    # Without addresses there are no places.
    [ "$1" = fio-latency-plain ] || {
        check_rows "$2" wanted-locality.tsv good.db locality
        check_rows "$2" wanted-popularity.tsv good.db popularity --of sector
    }
    check_derived "$2" good.db
}

# --- what a file is -------------------------------------------------------------------------------

# Each good file of every format, declared or not, against every declared format.
found_as() {
    # A log with several kinds of events is several traces, and a second table says so.
    tracetool -d found.db traces --format tsv 2>/dev/null | awk -F'\t' '!NF { exit } !/^#/ { print $2 }' | sort -u
}

matrix() {
    local file format

    while IFS= read -r file; do
        format=${file#"$data"/}
        format=${format%%/*}
        case $format in most) [[ $file = *.po ]] || continue ;; declared) continue ;; esac
        rm -f found.db
        tracetool -q -d found.db import "$file" 2>err.txt
        case $format in
        disksim | mqsim) expect "$file is found as no format" grep -q ": -f $format reads them" err.txt ;;
        *) expect "$file is found as $(found_as), not $format" [ "$(found_as)" = "$format" ] ;;
        esac
    done < <(find "$data" -path '*/ok/*' -type f ! -name '*.expected' ! -name '*.tsv' ! -name '*.yaml' \
        ! -name '*.reference' ! -name '*.md' ! -name '*.probes' | grep -v '/ok/.*/\|session-columns' | sort)
}

# --- a user's own ---------------------------------------------------------------------------------

# block NUMBER LANGUAGE: the example of that language in the document.
block() {
    awk -v number="$1" -v begin="\`\`\`$2" '
        $0 == "```" { inside = 0 }
        inside { print }
        $0 == begin && ++count == number { inside = 1 }' "$root/docs/declaring-a-format.md"
}

document() {
    local number

    mkdir own && cd own || exit 1
    block 1 csv >disk.csv
    block 1 yaml >tracetool.yaml
    import_as own.db disk.csv
    cat >wanted.txt <<'END'
0.000000000 D R 17173304 + 32 [] none
0.000113000 C R 17173304 + 32 [] none latency 0.000113000
0.000235000 D W 17173336 + 8 [] none
0.002276000 C W 17173336 + 8 [] none latency 0.002041000
0.005353000 D W 17173344 + 8 [] none
0.007223000 C W 17173344 + 8 [] none latency 0.001870000
END
    listing own.db >got.txt
    check "the document's example" wanted.txt got.txt
    mv tracetool.yaml elsewhere.yaml
    listing own.db >got.txt
    check "the document's example, where nothing is declared" wanted.txt got.txt
    tracetool -d own.db sql "SELECT format, start FROM trace" >got.txt
    printf '# format\tstart\nmine\t1577808144360767000\n' >wanted.txt
    check "the document's example: format and start" wanted.txt got.txt
    for number in 2 3; do
        block $number yaml >tracetool.yaml
        tracetool formats >formats.txt 2>&1
        expect "the document's example $number" grep -qE '^(by-name|console)	' formats.txt
    done
    printf 'op,Blocks,LBA,who,timestamp\nR,8,100,x,5\nwrite,16,200,y,7\n' >names.csv
    block 2 yaml >tracetool.yaml
    import_as own.db names.csv
    printf '0.000005000 Q R 100 + 8 [] none\n0.000007000 Q W 200 + 16 [] none\n' >wanted.txt
    listing own.db >got.txt
    check "columns by name" wanted.txt got.txt
    printf '"op","Blocks","LBA","who","timestamp"\n"R",8,100,"x, ""y""",5\n' >names.csv
    sed 's/header: names/quotes: yes\n    &/; s/- {is: time/- {is: process, name: who}\n      &/' \
        tracetool.yaml >quotes.yaml
    common_options=(-c quotes.yaml)
    import_as own.db names.csv
    printf '0.000005000 Q R 100 + 8 [x, "y"] none\n' >wanted.txt
    listing own.db >got.txt
    common_options=()
    check "columns in quotes" wanted.txt got.txt
    printf '[  0.5] sda: WS 4096+8\n[0.625] sdb: R 8+16\n[0.75] sdc: Q 8+16\n' >console.log
    block 3 yaml >tracetool.yaml
    import_as own.db console.log
    printf '0.500000000 Q WS 4096 + 8 [] none\n0.625000000 Q R 8 + 16 [] none\n' >wanted.txt
    listing own.db >got.txt
    check "an expression" wanted.txt got.txt
    cd .. || exit 1
}

# append_to DATABASE FILE: status and stderr.
append_to() {
    tracetool -q -d "$1" import -n log --append "$2" >out.txt 2>err.txt
}

# The names of devices keep their numbers, times their origin; another declaration is refused.
appending() {
    local file=$data/msr/ok/web_0.csv

    head -n 20 "$file" >one.csv
    tail -n +21 "$file" | sed 's/,web,0,/,usr,1,/' >two.csv
    cat one.csv two.csv >both.csv
    import_as parts.db one.csv
    expect "--append" append_to parts.db two.csv
    import_as whole.db both.csv
    for db in parts whole; do
        sqlite3 -readonly $db.db "SELECT e.time, o.device, e.address FROM event e JOIN object o
            ON o.id = e.object ORDER BY 1, 2, 3" >$db.txt
    done
    check "appended in parts" whole.txt parts.txt
    expect "two devices by name" grep -q '|2097153|' whole.txt
    mkdir -p other && cd other || exit 1
    sed 's/minor/skip/' "$root/formats/msr.yaml" >tracetool.yaml
    append_to ../parts.db ../one.csv
    expect "--append with another declaration" grep -q "'msr' was declared otherwise" err.txt
    sed 's/block I.O of servers/servers/' "$root/formats/msr.yaml" >tracetool.yaml
    tail -n +30 ../both.csv | sed 's/,web,/,src,/' >three.csv
    expect "--append with the same declaration, otherwise described" append_to ../parts.db three.csv
    cd .. || exit 1
}

# Files of one trace that overlap are merged by time; a packed one has its name without the packing.
files() {
    mkdir pieces
    awk 'NR % 2' "$data/msr/ok/web_0.csv" >pieces/odd.csv
    awk 'NR % 2 == 0' "$data/msr/ok/web_0.csv" | gzip >pieces/even.csv.gz
    import_as parts.db pieces
    import_as whole.db "$data/msr/ok/web_0.csv"
    listing whole.db >wanted.txt
    listing parts.db >got.txt
    check "files that overlap" wanted.txt got.txt
    gzip <"$data/fio-latency/ok/job_clat.1.log" >job_clat.1.log.gz
    rm -f found.db
    tracetool -q -d found.db import job_clat.1.log.gz
    expect "a packed file has its own name" [ "$(found_as)" = fio-latency ]
}

# What fio itself wrote: ../shared/data/fio/expected.md has the counts.
samples() {
    if [ ! -d "$shared/data/fio" ]; then
        skip "no ../shared/data/fio"
        return
    fi
    import_as fio.db "$shared/data/fio/io.log"
    report fio.db rw | awk -F'\t' '$2 > 0 { print $1, $2 }' >got.txt
    printf 'read 29\nwrite 35\nflush 8\n' >wanted.txt
    check "fio's own iolog" wanted.txt got.txt
    import_as fio.db "$shared/data/fio/v2.log"
    listing fio.db | cut -c 1-20 >got.txt
    printf '0.000000000 Q R 0 + \n0.001000000 Q W 8 + \n0.001000000 Q FN + 0\n' >wanted.txt
    check "an iolog of version 2" wanted.txt got.txt
    import_as fio.db "$shared/data/fio/l_clat.1.log"
    tracetool -d fio.db sql "SELECT sum(duration), count(*) FROM event WHERE duration IS NOT NULL" |
        tail -n 1 >got.txt
    awk -F', ' '{ sum += $2 } END { printf "%d\t%d\n", sum, NR }' "$shared/data/fio/l_clat.1.log" >wanted.txt
    check "fio's latencies" wanted.txt got.txt
    rm -f fio.db
    tracetool -d fio.db import "$shared/data/fio/b_bw.1.log" 2>err.txt
    expect "fio's bandwidth is no latency" grep -q "fio's log of bandwidth" err.txt
}

kept_files_of_all
samples
wanted_figures
same_figures
matrix
document
appending
files
finish "declared: "
