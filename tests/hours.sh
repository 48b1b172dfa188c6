#!/bin/bash
# Hours of the day in --from and --to, against awk over the raw lines of random logs of hours, days and years.
#
#     BUILD=build tests/hours.sh
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

# block_log SEED SECONDS: completions of a device at random times from 21:30:00 on, so far apart at most.
block_log() {
    awk -v seed="$1" -v most="$2" 'BEGIN {
        srand(seed)
        for (i = 1; i <= 3000; i++) {
            printf "%d.%09d\tC\t%s\t%d\t%d\t%d\tp%d\tD\n", now, i, rand() < 0.6 ? "R" : "WS",
                int(rand() * 100000) * 8, 8 * (1 + int(rand() * 4)), 100 + i % 3, i % 3
            now += int(rand() * rand() * most)
        }
    }'
}

# in_hours FROM TO FILE: its lines of these seconds of the day, where time 0 is 21:30:00.
in_hours() {
    awk -v from="$1" -v to="$2" '{
        at = ($1 + 77400) % 86400
        if (from < to ? at >= from && at < to : at >= from || at < to) print
    }' "$3"
}

clock() {
    printf '%02d:%02d:%02d' $(($1 / 3600 % 24)) $(($1 / 60 % 60)) $(($1 % 60))
}

# check_hours WHAT FROM TO [SOURCE]: seconds of the day; each way of counting, and lines of dump.
check_hours() {
    local what=$1 from to by
    local -a chosen

    from=$(clock "$2") to=$(clock "$3")
    chosen=(--from "$from" --to "$to")
    in_hours "$2" "$3" block.txt >chosen.txt
    awk -v OFS='\t' '{ k = $3 == "R" ? "read" : "writesync"; n[k]++; b[k] += 512 * $5 }
        END { for (k in n) print k, n[k], b[k] }' chosen.txt | LC_ALL=C sort >wanted.tsv
    for by in columns sqlite; do
        report block.db rw "${chosen[@]}" --counted-by $by | awk -v OFS='\t' '$2 > 0 { print $1, $2, $4 }' |
            LC_ALL=C sort >got.tsv
        check "$what: rw from $from to $to by $by" wanted.tsv got.tsv
    done
    awk -v OFS='\t' '{ n[$7]++ } END { for (k in n) print k, n[k] }' chosen.txt |
        LC_ALL=C sort >wanted.tsv
    report block.db popularity --of process "${chosen[@]}" | cut -f 2,3 | LC_ALL=C sort >got.tsv
    check "$what: processes from $from to $to" wanted.tsv got.tsv
    awk '{ n++; f = n == 1 ? $1 : f; l = $1 } END { printf "%d %.9f\n", n, l - f }' chosen.txt >wanted.txt
    tracetool -d block.db report summary "${chosen[@]}" --format tsv | awk -F'\t' '
        $1 == "run time" { t = $2 } $1 == "events" { printf "%d %.9f\n", $2, t / 1e9 }' >got.txt
    check "$what: summary from $from to $to" wanted.txt got.txt
    cut -f 1 chosen.txt >wanted.txt
    tracetool -d block.db dump "${chosen[@]}" | sed -n 's/^ *\([0-9]*\.[0-9]*\).*/\1/p' >got.txt
    check "$what: dump from $from to $to" wanted.txt got.txt
    # Of hours of each day, those of one process alone, and the largest sizes.
    grep -w p1 chosen.txt | awk -v OFS='\t' '{ n[$5 * 512]++ } END { for (k in n) print k, n[k] }' |
        sort -n >wanted.tsv
    report block.db iosize "${chosen[@]}" --process p1 | cut -f 1,2 >got.tsv
    check "$what: sizes of p1 from $from to $to" wanted.tsv got.tsv
}

# by_hour WHAT: a result for each hour of the day, with those of all days.
by_hour() {
    awk -v OFS='\t' '{ h = int(($1 + 77400) / 3600) % 24; k = $3 == "R" ? "read" : "writesync"; n[h, k]++; b[h, k] += 512 * $5 }
        END { for (key in n) { split(key, p, SUBSEP); printf "%02d:00\t%s\t%d\t%d\n", p[1], p[2], n[key], b[key] } }' \
        block.txt | LC_ALL=C sort >wanted.tsv
    tracetool -d block.db report rw --by hour --format tsv |
        awk -F'\t' -v OFS='\t' '/^# means/ { exit } !/^#/ && NF == 6 && $2 > 0 { print $6, $1, $2, $4 }' |
        LC_ALL=C sort >got.tsv
    check "$1: rw by hour" wanted.tsv got.tsv
}

hours_of_day() {
    local seed from to

    for seed in 1 2 3 4; do
        # A log of some days, of an hour or two, and of years with long holes.
        block_log "$seed" $((seed == 1 ? 900 : seed == 2 ? 10 : seed == 3 ? 300 : 400000)) >block.txt
        rm -f block.db
        tracetool -q -d block.db import --start 2014-04-27T21:30:00 --utc-offset +0900 block.txt
        RANDOM=$seed
        by_hour "seed $seed"
        check_hours "seed $seed" 21600 43200
        check_hours "seed $seed" 79200 21600
        for ((window = 0; window < 4; window++)); do
            from=$((RANDOM * 3 % 86400))
            to=$((RANDOM * 3 % 86400))
            [ "$from" = "$to" ] || check_hours "seed $seed" "$from" "$to"
        done
    done
}

hours_of_day
finish "hours: "
