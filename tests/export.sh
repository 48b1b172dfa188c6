#!/bin/bash
# Exports: what was exported and is imported again gives the same reports; blkparse, btt and fio, where
# they are installed, read it; and what awk makes of blkparse's text is what is in the others.
#
#     [SHARED=FOLDER] BUILD=build tests/export.sh
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

data=$root/testdata/blkparse

# export_log FORMAT FILE [OPTION…]: of the trace log in log.db.
export_log() {
    expect "export as $1" tracetool -d log.db export log --as "$1" -o "$2" "${@:3}" 2>said.txt
}

# said DATABASE REPORT: all but the first line, which names the format.
said() {
    # shellcheck disable=SC2086 # a command and its options
    tracetool -d "$1" $2 --format tsv 2>&1 | sed 1d
}

# check_again WHAT: log.db as blktrace, and what is read of that again.
check_again() {
    local report file

    export_log blktrace out.blktrace.0
    rm -f again.db
    expect "$1: imported again" tracetool -q -d again.db import -n log out.blktrace.0
    for report in dump "report rw" "report latency" "report process" "report process --by issuer" \
        "report popularity" "report iosize" "report gaps" "report locality" "report timeline" \
        "report hourly" "report stages" "report stages --by disk" "report sequences -a D"; do
        said log.db "$report" >wanted.txt
        said again.db "$report" >got.txt
        check "$1 as blktrace and back: $report" wanted.txt got.txt
    done
    for file in log again; do sqlite3 $file.db 'SELECT ifnull(start, 0) FROM trace' >$file.start; done
    check "$1 as blktrace and back: wall clock" log.start again.start
    check_derived "$1 as blktrace and back" again.db
}

round_trips() {
    local file

    for file in "$root/testdata/blktrace/ok/two-cpus" "$data/ok/tails.txt"; do
        import_as log.db "$file"
        check_again "${file##*/}"
    done
    for file in "$shared/data/blkparse/sqlite-on-ext4.txt" "$shared/data/blktrace/clean.blktrace.0" \
        "$shared/data/blktrace/split.blktrace.1"; do
        if [ -e "$file" ]; then
            import_as log.db "$file"
            check_again "${file##*/}"
        else
            skip "${file##*/}: there is no $shared"
        fi
    done
}

# A trace whose first line is 30 s later than its earliest: times begin at the earliest then.
before_the_start() {
    local report

    printf '%s\n' 128166372003061629,h,0,Read,4096,4096,10000 128166371973061629,h,0,Write,8192,4096,10000 \
        128166371988061629,h,0,Write,8192,4096,20000 >early.csv
    rm -f log.db again.db
    tracetool -q -d log.db import -n log early.csv
    # A binary log states what this one cannot, so the reports are made without what is known of that.
    sqlite3 log.db "DELETE FROM meaning WHERE \"column\" = ''"
    tracetool -q -d log.db check --repair
    export_log blktrace out.blktrace.0
    expect "times below 0: imported again" tracetool -q -d again.db import -n log out.blktrace.0
    for report in "report rw" "report latency" "report queue" "report hourly" "report seeks"; do
        said log.db "$report" >wanted.txt
        said again.db "$report" >got.txt
        check "times below 0 as blktrace and back: $report" wanted.txt got.txt
    done
    sqlite3 log.db "SELECT start + first_time FROM trace" >wanted.txt
    sqlite3 again.db "SELECT start + first_time FROM trace" >got.txt
    check "times below 0 as blktrace and back: wall clock" wanted.txt got.txt
}

# blkparse's lines are those of the log, but for their numbers and CPUs, and without a complaint.
by_blkparse() {
    # shellcheck disable=SC2016 # awk's own
    local lines='{ $2 = $3 = ""; print }'

    if ! command -v blkparse >/dev/null; then
        skip "there is no blkparse"
        return
    fi
    grep -v '  A \|  m ' "$root/testdata/blktrace/expected/trace.txt" | sed 's/\[65531\]/[-5]/' | awk "$lines" >wanted.txt
    import_as log.db "$root/testdata/blktrace/ok/two-cpus"
    export_log blktrace out.blktrace.0
    blkparse -q -i out 2>err.txt | grep -v '  A ' | sed 's/\[65531\]/[-5]/' | grep '^ *[0-9]*,' | awk "$lines" >got.txt
    # A SCSI command's own bytes, and lengths below a sector, are not kept; completions name nobody.
    sed -i '/(12 00/d; / [CR]  *[A-Z]* /s/^\( *[^ ]* *[^ ]*\) *[0-9]* /\1 /' wanted.txt
    sed -i '/ [DC]  *R .*\] *$/{ / + /!d; }; / [CR]  *[A-Z]* /s/^\( *[^ ]* *[^ ]*\) *[0-9]* /\1 /' got.txt
    check "blkparse's lines" wanted.txt got.txt
    expect "blkparse has no complaints" [ ! -s <(grep -v '^Input file' err.txt) ]
}

# What awk finds in the lines: each completion once, as it was asked for.
by_lines() {
    printf '%s\n' '  8,0 0 1 1.000000000 10 Q R 8 + 16 [a]' '  8,0 0 2 1.000001000 10 D R 8 + 16 [a]' \
        '  8,16 0 3 1.000002000 11 Q W 0 + 1 [b]' '  8,16 0 4 1.000003000 11 D W 0 + 1 [b]' \
        '  8,16 0 5 1.000104000 0 C W 0 + 1 [0]' '  8,0 0 6 1.002000000 0 C R 8 + 16 [0]' \
        '  8,0 0 7 2.500000000 11 Q D 64 + 8 [b]' '  8,0 0 8 2.500000100 11 D D 64 + 8 [b]' \
        '  8,0 0 9 2.600000000 0 C D 64 + 8 [0]' '  8,0 0 10 3.000000000 0 C FN 0 [0]' \
        '  8,0 0 11 3.100000000 10 Q WS 16 + 8 [a]' '  8,0 0 12 3.200000000 0 C WS 16 + 8 [0]' >small.txt
    import_as log.db small.txt --start 2001-01-01T00:00:00Z
    export_log fio fio.txt
    printf '%s\n' 'fio version 3 iolog' '0 replay.0 add' '0 replay.0 open' '0 replay.0 read 4096 8192' \
        '2 replay.1 add' '2 replay.1 open' '2 replay.1 write 0 512' '1500000 replay.0 trim 32768 4096' \
        '2000000 replay.0 sync 0 0' '2100000 replay.0 write 8192 4096' '2100000 replay.0 close' \
        '2100000 replay.1 close' >wanted.txt
    check "fio, version 3" wanted.txt fio.txt
    export_log fio-2 fio.txt
    printf '%s\n' 'fio version 2 iolog' 'replay.0 add' 'replay.0 open' 'replay.0 read 4096 8192' \
        'replay.1 add' 'replay.1 open' 'replay.1 wait 2 0' 'replay.1 write 0 512' \
        'replay.0 wait 1499998 0' 'replay.0 trim 32768 4096' 'replay.0 wait 500000 0' 'replay.0 sync 0 0' \
        'replay.0 wait 100000 0' 'replay.0 write 8192 4096' 'replay.0 close' 'replay.1 close' >wanted.txt
    check "fio, version 2" wanted.txt fio.txt
    export_log msr msr.csv
    # 978307200 s is 2001 in seconds since 1970, 11644473600 that since 1601.
    printf '%s\n' '126227808000000000,log,0,Read,4096,8192,20000' '126227808000000020,log,1,Write,0,512,1020' \
        '126227808021000000,log,0,Write,8192,4096,1000000' >wanted.txt
    check "msr" wanted.txt msr.csv
    printf '%s\n' "exported as msr: 3 of the trace's events" \
        '  not in it, 2 times: I/Os that are neither read nor write' >wanted.txt
    check "what is not in it is said" wanted.txt said.txt
    export_log oracleGeneral-csv oracle.csv
    printf '%s\n' 'time,object,size,op,next' '0,1,4096,read,-1' '0,2,4096,read,4' \
        '0,4503599627370496,4096,write,-1' '2,2,4096,write,-1' >wanted.txt
    check "oracleGeneral as CSV" wanted.txt oracle.csv
    export_log oracleGeneral oracle.bin
    od -An -v -w24 -tu4 oracle.bin | awk 'BEGIN { OFS = "," } {
        next_ = $5 == 4294967295 ? -1 : $5; printf "%d,%.0f,%d,%d\n", $1, $2 + $3 * 4294967296, $4, next_ }' >got.txt
    sed '1d; s/,[a-z]*,/,/' wanted.txt >wanted-binary.txt
    check "oracleGeneral" wanted-binary.txt got.txt
    export_log msr some.csv --device 8:16
    expect "filters apply" [ "$(cut -d, -f 4-6 some.csv)" = Write,0,512 ]
}

# What is larger, or further behind, than any disk's is not made requests: 65536 blocks of 4096 bytes
# are 524288 sectors, and block 2^52 is sector 36028797018963968.
oracle_bounds() {
    printf '%s.000000000\tC\tR\t%s\t%s\t1\ta\tD\n' 1 0 524288 2 8 524289 3 4 524288 4 8 8 5 16 8 >large.txt
    import_as log.db large.txt
    sqlite3 log.db 'UPDATE event SET address = 36028797018963960 WHERE address = 8 AND size = 4096;
        UPDATE event SET address = 36028797018963968 WHERE address = 16'
    export_log oracleGeneral-csv oracle.csv
    awk 'BEGIN { print "time,object,size,op,next"
        for (i = 0; i < 65536; i++) print "0," i ",4096,read,-1"
        print "3,4503599627370495,4096,read,-1" }' >wanted.txt
    check "as many requests as an I/O may be, and the last block" wanted.txt oracle.csv
    printf '%s\n' "exported as oracleGeneral-csv: 2 of the trace's events" \
        '  not in it, 2 times: I/Os of more than 65536 blocks' \
        '  not in it, 1 times: I/Os behind block 2^52 of their device' >wanted.txt
    check "what is too large is said" wanted.txt said.txt
}

# The same requests in another format give the same reports.
other_formats() {
    local report log=$shared/data/blktrace/clean.blktrace.0

    [ -e "$log" ] || { skip "msr: there is no $shared" && return; }
    import_as log.db "$shared/data/blktrace/clean.blktrace.1" --join "$log"
    export_log msr out.csv
    import_as again.db out.csv
    for report in iosize locality "popularity --of sector"; do
        # shellcheck disable=SC2086
        report log.db $report >wanted.tsv
        # shellcheck disable=SC2086
        report again.db $report >got.tsv
        check "msr and back: $report" wanted.tsv got.tsv
    done
    report log.db rw | grep -E '^(read|write)' | cut -f 1,2,4 |
        awk '{ sub(/sync/, "", $1); n[$1] += $2; b[$1] += $3 } END { for (c in n) print c, n[c], b[c] }' | sort >wanted.txt
    report again.db rw | grep -E '^(read|write)	' | cut -f 1,2,4 | tr '\t' ' ' | sort >got.txt
    check "msr and back: rw" wanted.txt got.txt
    by_fio
}

by_fio() {
    if ! command -v fio >/dev/null; then
        skip "there is no fio"
        return
    fi
    export_log fio replay.iolog
    truncate -s 300M replay.0
    fio --name=replay --read_iolog=replay.iolog --replay_no_stall=1 --ioengine=psync 2>&1 |
        sed -n 's/.*issued rwts: total=\([0-9,]*\).*/\1/p' >got.txt
    awk '{ n[$3]++ } END { printf "%d,%d,%d,%d\n", n["read"], n["write"], n["trim"], n["sync"] }' \
        replay.iolog >wanted.txt
    check "fio replays what is counted" wanted.txt got.txt
    rm -f replay.0
}

refusals() {
    import_as log.db "$root/testdata/palmist/ok/small.txt"
    echo before >out.bin
    tracetool -d log.db export log --as blktrace -o out.bin 2>err.txt
    expect "no block I/O: status $?" grep -q 'has no sectors of block I/O' err.txt
    expect "what was there stays" [ "$(cat out.bin)" = before ]
    import_as log.db "$data/ok/tails.txt"
    tracetool -d log.db export log --as blktrace -o log.db 2>err.txt
    expect "not over the database" grep -q 'belongs to the database' err.txt
    expect "which is sound" tracetool -q -d log.db check
    tracetool -d log.db export log 2>err.txt
    expect "--as is needed: status $?" grep -q -e '--as FORMAT' err.txt
    tracetool -d log.db export log --as nosuch 2>err.txt
    expect "no such format" grep -q "no export format 'nosuch'" err.txt
    tracetool -d log.db export nosuch --as fio -o nosuch.out 2>err.txt
    expect "no such trace" [ ! -e nosuch.out ]
    tracetool -d log.db export log --as fio -o /nonexistent/x 2>err.txt
    expect "no such folder" grep -q '/nonexistent/x: cannot write' err.txt
    expect "nothing is left beside" [ -z "$(find . -name '*.partial')" ]
    tracetool -d log.db export log --as fio >/dev/full 2>err.txt
    expect "a full disk: status $?" grep -q 'No space left' err.txt
    tracetool exports | grep -v '^#' | cut -f 1 >got.txt
    printf '%s\n' blktrace chrome columns csv fio fio-2 mobigen msr oracleGeneral oracleGeneral-csv parquet \
        rowbinary speedscope >wanted.txt
    check "exports" wanted.txt got.txt
}

round_trips
before_the_start
by_blkparse
by_lines
oracle_bounds
other_formats
refusals
finish "export: "
