#!/bin/bash
# The two-user study of 24 hours, in form D (most-binary) and form E (AndroTrace): every report over
# each against what the generator played, and so against one another.
#
#     tests/study.sh [small|IOS]
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

size=${1:-small}
build_generator generate "$root"/testdata/{util,study/*}.c
if [ "$size" = small ]; then
    ./generate small study
else
    ./generate study "$size"
fi || exit 1
common_options=(-c study/study.yaml)

# check_report EXPECTED NAME REPORT [OPTION…]
check_report() {
    check_rows "$2" "$1" "$2.db" "${@:3}"
}

# shares KEYS COLUMNS OF FILE: counts of a table by class as shares, out of the counts that the
# generator made: KEYS columns of names, of which all but the last make a group, and COLUMNS counts,
# the last of them their total.
shares() {
    awk -F'\t' -v OFS='\t' -v keys="$1" -v columns="$2" -v of="$3" '
        function group() { return keys > 1 ? $1 : "" }
        function share(part, whole) { return sprintf("%.6f", whole == 0 ? 0 : part / whole) }
        # The counts of a line, with those of all reads and of all writes behind the total.
        function counts(i) {
            for (i = 1; i <= columns; i++) count[i] = $(keys + i)
            count[columns + 1] = $(keys + 1) + $(keys + 2)
            count[columns + 2] = $(keys + 3) + $(keys + 4)
        }
        { counts() }
        NR == FNR {
            for (i = 1; i <= columns + 2; i++) sum[group(), i] += count[i]
            all += count[columns]
            next
        }
        {
            line = $1
            for (i = 2; i <= keys; i++) line = line OFS $i
            for (i = 1; i <= columns + 2; i++) {
                whole = of == "row" ? count[columns] : of == "all" ? all : sum[group(), i]
                line = line OFS share(count[i], whole)
            }
            for (i = keys + columns + 1; i <= NF; i++) line = line OFS $i
            print line
        }' "$4" "$4"
}

# check_shares EXPECTED NAME KEYS REPORT
check_shares() {
    local of

    for of in row column all; do
        shares "$3" 7 $of "$1/$4.tsv" >wanted.tsv
        check_report wanted.tsv "$2" "$4" --share $of
    done
}

# Times with nothing in flight: by SQL the issue and completion of each I/O, by awk what lies between.
# Form D has no issues, and so has each I/O at its completion.
check_gaps() {
    sqlite3 -readonly -tabs "$1.db" "SELECT time - ifnull(duration, 0), time FROM event
        JOIN name ON name.id = operation WHERE text = 'C' ORDER BY 1, 2" |
        awk 'NR > 1 && $1 > busy { printf "%.0f\t%.0f\t%.0f\n", busy, $1, $1 - busy }
            NR == 1 || $2 > busy { busy = $2 }' |
        sort -t '	' -k 3,3nr -k 1,1n >wanted.tsv
    check_report wanted.tsv "$1" gaps
    expect "$1: there are gaps" [ -s wanted.tsv ]
}

for user in user1 user2; do
    expected=study/expected/$user
    import_as $user-D.db study/$user.most-binary --utc-offset +0900
    # Form D cannot state flushes and block types, of which there are none in form E: without what is known of
    # that (tests/facts.sh), the tables are the same.
    sqlite3 $user-D.db "DELETE FROM meaning WHERE \"column\" = ''"
    tracetool -q -d $user-D.db check --repair
    import_as $user-E.db study/$user
    import_as $user-L.db study/$user.ufls
    for form in D E; do
        for report in rw hourly partition filetype filetype-partition process iosize locality; do
            check_report $expected/$report.tsv $user-$form $report
        done
        check_report $expected/process-partition.tsv $user-$form process-partition
        check_derived $user-$form $user-$form.db
        check_gaps $user-$form
    done
    check_report $expected/blocktype.tsv $user-E blocktype
    check_report $expected/blocktype-most-binary.tsv $user-D blocktype
    check_report $expected/locality-data-only.tsv $user-E locality --data-only
    check_report $expected/latency.tsv $user-E latency
    check_report $expected/lifespan.tsv $user-L lifespan
    for report in partition filetype blocktype process; do
        check_shares $expected $user-E 1 $report
    done
    check_shares $expected $user-E 2 process-partition
    # Of filetype-partition the generator knows the totals only.
    for of in column all; do
        awk -F'\t' -v OFS='\t' -v of=$of 'NR == FNR { sum[$1] += $3; all += $3; next }
            { print $1, $2, sprintf("%.6f", $3 / (of == "all" ? all : sum[$1])) }' \
            $expected/filetype-partition.tsv $expected/filetype-partition.tsv >wanted.tsv
        report $user-E.db filetype-partition --share $of | cut -f 1,2,9 >got.tsv
        check "$user-E: filetype-partition --share $of" wanted.tsv got.tsv
    done
    # Of reads, how many are synchronous; and so of writes.
    awk -F'\t' -v OFS='\t' '{ count[$1] = $2 } END {
        reads = count["read"] + count["readsync"]; writes = count["write"] + count["writesync"]
        print "read", sprintf("%.6f", count["read"] / reads),
            sprintf("%.6f", count["readsync"] / reads), "1.000000"
        print "write", sprintf("%.6f", count["write"] / writes),
            sprintf("%.6f", count["writesync"] / writes), "1.000000"
        print "flush", "", "", "0.000000"; print "other", "", "", "0.000000" }' \
        $expected/rw.tsv >wanted.tsv
    check_report wanted.tsv $user-E rw --share row
    # File types within processes add up to both.
    report $user-E.db filetype-process >got.tsv
    for column in 1:process 2:filetype; do
        awk -F'\t' -v OFS='\t' -v key=${column%:*} '{ total[$key] += $9; bytes[$key] += $11 }
            END { for (name in total) print name, total[name], bytes[name] }' got.tsv |
            sort >sums.tsv
        cut -f 1,8,10 $expected/${column#*:}.tsv | sort >wanted.tsv
        check "$user-E: filetype-process by ${column#*:}" wanted.tsv sums.tsv
    done
    # Deletions are no I/Os.
    report $user-L.db rw | awk -F'\t' '{ count += $2 } END { print count + 0 }' >got.txt
    echo 0 >wanted.txt
    check "$user-L rw" wanted.txt got.txt
    check_summary $user-D $expected/summary-most-binary.tsv $user-D.db
    check_summary $user-E $expected/summary-uio.tsv $user-E.db
    # Counted anew out of the events instead of the rollups.
    for report in rw hourly partition filetype process iosize; do
        check_report $expected/$report.tsv $user-E $report --from 0
    done
done
# means COLUMNS SHARES FILE FILE: of lines `name count …` of both users, with 0 for a name that one of them lacks, the
# means and standard deviations by n - 1. SHARES: `8=7` where column 8 is the share that column 7 is
# of its sum, which is worked out anew, for it is rounded there.
means() {
    awk -F'\t' -v OFS='\t' -v columns="$1" -v shares="$2" '
        function mean(a, b) { return (a + b) / 2 }
        function deviation(a, b) { return sqrt((a - mean(a, b)) ^ 2 + (b - mean(a, b)) ^ 2) }
        FNR == 1 { user++ }
        {
            n[$1]++
            for (i = 1; i <= columns; i++) {
                value[$1, user, i] = $(1 + i)
                sum[user, i] += $(1 + i)
            }
        }
        END {
            count = split(shares, pairs, " ")
            for (k = 1; k <= count; k++) {
                split(pairs[k], pair, "=")
                for (name in n) {
                    for (user = 1; user <= 2; user++) {
                        value[name, user, pair[1]] = value[name, user, pair[2]] / sum[user, pair[2]]
                    }
                }
            }
            for (name in n) {
                line = name OFS n[name]
                for (i = 1; i <= columns; i++) {
                    a = value[name, 1, i]; b = value[name, 2, i]
                    line = line OFS sprintf("%.6f", mean(a, b)) OFS sprintf("%.6f", deviation(a, b))
                }
                print line
            }
        }' "${@:3}" | sort
}

# Two users in one database, and one without a label, whose trace is in no mean.
for user in user1 user2; do
    common_options=(-c study/study.yaml)
    tracetool -q -c study/study.yaml -d both.db import --user $user -n $user study/$user
done
tracetool -q -d both.db import -n nobody "$root/testdata/androtrace/ok/session.uio"
for report in filetype process partition rw; do
    case $report in rw) columns=4 shares='2=1 4=3' ;; *) columns=10 shares='8=7 10=9' ;; esac
    means "$columns" "$shares" study/expected/user{1,2}/$report.tsv >wanted.tsv
    tracetool -d both.db report $report --by user --format tsv |
        awk '/^# means over 2, by user: (user1, user2|user2, user1)$/ { found = 1 } found && !/^#/' | sort >got.tsv
    check "means over users: $report" wanted.tsv got.tsv
    # --top shows fewer rows; it does not change them.
    tracetool -d both.db report $report --by user --top 1 --format tsv |
        awk '/^# means over/ { found = 1 } found && !/^#/' >got.tsv
    expect "means over users: $report --top 1" grep -qxFf got.tsv wanted.tsv
done
finish "study: "
