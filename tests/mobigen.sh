#!/bin/bash
# The format mobigen against what was worked out by hand for the small trace, the ledger of damaged
# ones, and awk over the lines of the real one, which shares nothing with the program.
#
#     BUILD=build tests/mobigen.sh        SHARED names the folder beside the checkout, if elsewhere
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

data=$root/testdata/mobigen
real=$shared/data/mobigen/mobigen.out.twitter

# query DATABASE SQL: the rows, with nothing escaped but what cannot stand in a field.
query() {
    rows "$1" sql "$2"
}

# left_out DATABASE REPORT…: what a report says that it leaves out.
left_out() {
    tracetool -d "$1" report "${@:2}" --format tsv | grep '^# excluded'
}

# --- the small trace ------------------------------------------------------------------------------

small_trace() {
    local expected report

    import_as small.db "$data/small.txt"
    check_derived small.txt small.db
    listing small.db >got.txt
    check "small.txt: dump" "$data/expected/small/dump.txt" got.txt
    for expected in "$data"/expected/small/*.tsv; do
        report=$(basename "$expected" .tsv)
        # shellcheck disable=SC2086 # a report and its option
        report small.db ${report/-of-/ --of } >got.tsv
        check "small.txt: $report" "$expected" got.tsv
    done
    echo "5 of 21 calls on a descriptor are without a file: no open of it is in the trace" >wanted.txt
    query small.db "SELECT text FROM remark" >got.txt
    check "small.txt: remark" wanted.txt got.txt
    # By hand: 14 reads and writes, of which lines 7 and 18 failed, in 37 calls; 9 calls without file.
    printf '%s\n' "# excluded: 25 of 37 calls without a size; failed: 2 reads and writes, of 14" \
        "# excluded: 9 of 37 events without a file; shares are of the rest" >wanted.txt
    { left_out small.db argsize && left_out small.db popularity --of file; } >got.txt
    check "small.txt: what is left out" wanted.txt got.txt
    printf '%s\n' "open sqlite-db" "stat64 other" "access sqlite-journal" "mkdir other" >wanted.txt
    query small.db "SELECT n.text || ' ' || o.type FROM event AS e JOIN name AS n
        ON n.id = e.operation JOIN object AS o ON o.id = e.object WHERE e.id IN (1, 25, 28, 32)
        ORDER BY e.id" >got.txt
    check "small.txt: file types" wanted.txt got.txt
}

# A later file begins where the one before it ends, and knows nothing of its descriptors.
more_files() {
    import_as twice.db "$data/small.txt"
    printf '0 0 read 10 3\n7 50 open "/later" O_RDONLY 10\n0 60 read 10 4\n' >later.txt
    tracetool -q -d twice.db import -n log --append later.txt || fail "--append"
    listing twice.db | tail -n 3 >got.txt
    printf '%s\n' '0.001850000 [thread 0] read(10) = 3' \
        '0.001900000 [thread 7] open("/later", O_RDONLY) = 10' \
        '0.001910000 [thread 0] read(10 "/later") = 4' >wanted.txt
    check "--append" wanted.txt got.txt
    import_as joined.db --join "$data/small.txt" later.txt
    listing joined.db | tail -n 3 >got.txt
    check "--join" wanted.txt got.txt
    check_derived --join joined.db
}

# A log that was cut into three is read as the whole: grouped by thread, it goes on within a thread or with the
# next. Files keep their counts.
cut_up() {
    local file

    python3 - >whole.txt <<'END'
import random
r = random.Random(4)
calls = []
open_until = {}
for thread in range(1, 6):
    t = r.randrange(50)
    for i in range(40):
        t += r.randrange(1, 400)
        calls.append((thread, t))
# Descriptors are those of all threads together, in order of time: opens by one, reads by the others.
opened = False
text = {}
for thread, t in sorted(calls, key=lambda c: (c[1], c[0])):
    if not opened or r.random() < .1:
        text[thread, t] = 'open "/data/f%d" O_RDWR 35' % t
        opened = True
    else:
        text[thread, t] = "read 35 %d" % r.randrange(4096)
for call in calls:
    print(*call, text[call])
END
    split -n l/3 whole.txt cut.
    import_as whole.db whole.txt
    import_as parts.db --join cut.aa cut.ab cut.ac
    listing whole.db >wanted.txt
    listing parts.db >got.txt
    check "a log in three pieces is the whole log" wanted.txt got.txt
    expect "calls have files" grep -q 'read(35 "/data/f' wanted.txt
    for file in cut.aa cut.ab cut.ac; do printf "%s\t%d\n" "$file" "$(wc -l <$file)"; done >wanted.txt
    query parts.db "SELECT name, events FROM source ORDER BY id" >got.txt
    check "a log in three pieces: calls of each file" wanted.txt got.txt
    check_derived "a log in three pieces" parts.db
    printf '1 2000 write 35 4096\n' >a.txt
    printf '1 3000 write 35 4096\n' >b.txt
    import_as two.db --join a.txt b.txt
    expect "a piece goes on where the one before ended" \
        [ "$(query two.db 'SELECT last_time - first_time FROM trace')" = 1000000 ]
    import_as two.db --join b.txt a.txt
    expect "a recording of its own follows the one before" \
        [ "$(query two.db 'SELECT last_time FROM trace')" = 5000000 ]
    expect "and that is said" grep -q 'files that begin again near 0.*: 1$' \
        <(tracetool -d two.db show log)
}

# More calls than are sorted at once: all are kept, and a remark says so. The last open lies in the
# second part but earlier in time than calls of the first.
many_calls() {
    awk 'BEGIN {
        print "0 0 open \"/first\" O_RDONLY 3"
        for (i = 1; i <= 1100000; i++)
            print "0", i, "write 3 1"
        print "1 500000 open \"/second\" O_RDONLY 3"
        print "1 2000000 write 3 1"
    }' >many.txt
    import_as many.db many.txt
    query many.db "SELECT o.name, count(*), sum(e.size), max(e.time) FROM event AS e
        JOIN object AS o ON o.id = e.object GROUP BY o.name" >got.txt
    # The first 1048576 lines are a part; in the second, times from 1048576 on follow the open.
    printf '%s\t%s\t%s\t%s\n' /first 1048576 1048575 1048575000 \
        /second 51427 51426 2000000000 >wanted.txt
    check "many calls" wanted.txt got.txt
    query many.db "SELECT count(*) FROM remark WHERE text LIKE 'too many calls%'" >got.txt
    echo 1 >wanted.txt
    check "many calls: remark" wanted.txt got.txt
    rm -f many.txt many.db
}

# --- damage ---------------------------------------------------------------------------------------

long_line() {
    { printf '0 0 read 3 1\n0 1 foo ' && head -c 300000 /dev/zero | tr '\0' x &&
        printf ' 0\n0 2 read 3 1\n'; } >long.txt
    import_as damaged.db long.txt
    printf 'events\t2\nreason\tline longer than 262144 bytes\t1\t13\nrejected\t1\n' >wanted.tsv
    ledger damaged.db >got.tsv
    check "a long line" wanted.tsv got.tsv
}

# --- the real trace against awk ---------------------------------------------------------------------

# Lines with their file in front: `-` for none. Descriptors are
# followed in order of time; lines of the same time stay in order.
with_files() {
    awk '{ print $2 "\t" NR "\t" $0 }' "$1" | sort -t '	' -k 1,1n -k 2,2n | cut -f 3- | awk '
        function file() { return $4 in name ? name[$4] : "-" }
        $3 == "open" {
            path = $4
            gsub(/"/, "", path)
            if ($NF >= 0) name[$NF] = path
            print path "\t" $0
            next
        }
        /"/ { split($0, part, "\""); print part[2] "\t" $0; next }
        { print file() "\t" $0 }
        $3 == "close" { delete name[$4] }'
}

real_trace() {
    if [ ! -e "$real" ]; then
        skip "there is no mobigen.out.twitter"
        return
    fi
    import_as real.db "$real"
    check_derived twitter real.db
    ledger real.db >got.tsv
    printf 'events\t16307\nrejected\t0\n' >wanted.tsv
    check "twitter: ledger" wanted.tsv got.tsv

    awk -v OFS='\t' '
        NR == 1 { first = last = $2 }
        { threads[$1]; calls[$3]++; first = $2 < first ? $2 : first; last = $2 > last ? $2 : last }
        $3 ~ /^p?read$/ && $NF > 0 { bytes_read += $NF }
        $3 ~ /^p?write$/ && $NF > 0 { written += $NF }
        END {
            for (thread in threads) count++
            print "run time", (last - first) "000"
            print "lines", NR
            print "events", NR
            print "threads", count
            printf "bytes written\t%d\nbytes read\t%d\n", written, bytes_read
            for (call in calls) print "calls " call, calls[call]
        }' "$real" | sort >wanted.tsv
    report real.db summary | grep -Ev '^(files|log size)' | sort >got.tsv
    check "twitter: summary" wanted.tsv got.tsv

    awk -v OFS='\t' '
        $3 ~ /^p?read$/ { count["read"]++; bytes["read"] += $NF > 0 ? $NF : 0 }
        $3 ~ /^p?write$/ { count["write"]++; bytes["write"] += $NF > 0 ? $NF : 0 }
        $3 ~ /^f(data)?sync$/ { count["flush"]++ }
        $3 ~ /^p?(read|write)$/ { transfers++; failed += $NF < 0 }
        END {
            printf "# writes per read: %.2f\n", count["write"] / count["read"]
            printf "# failed: %d of %d reads and writes; counted, without bytes\n", failed, transfers
            calls = count["read"] + count["write"] + count["flush"]
            all = bytes["read"] + bytes["write"]
            for (i = split("read write flush", class, " "); i > 0; i--)
                printf "%s\t%d\t%.6f\t%d\t%.6f\n", class[i], count[class[i]],
                    count[class[i]] / calls, bytes[class[i]], bytes[class[i]] / all
        }' "$real" | LC_ALL=C sort >wanted.txt
    tracetool -d real.db report rw --format tsv | grep -v -e '^# trace' -e '^# units' -e '^# class' |
        LC_ALL=C sort >got.txt
    check "twitter: rw" wanted.txt got.txt

    with_files "$real" >files.txt
    cut -f 1 files.txt | grep -vx -e - | sort | uniq -c | awk -v OFS='\t' '{ print $2, $1 }' |
        sort >wanted.tsv
    report real.db popularity --of file | cut -f 2,3 | sort >got.tsv
    check "twitter: calls by file" wanted.tsv got.tsv
    printf 'files\t%d\n' "$(wc -l <wanted.tsv)" >wanted.txt
    report real.db summary | grep '^files' >got.txt
    check "twitter: files" wanted.txt got.txt

    # What was read and written, by file and by thread.
    awk -F'\t' -v OFS='\t' '
        {
            n = split($2, word, " ")
            does = word[3] == "open" ? "open" : word[3] ~ /^p?read$/ ? "read" : \
                word[3] ~ /^p?write$/ ? "write" : word[3] ~ /^fsync|fdatasync$/ ? "fsync" : ""
            if (does == "") next
            got = does ~ /read|write/ && word[n] > 0 ? word[n] : 0
            begin = ($1, does) in end ? end[$1, does] : 0
            place = word[3] ~ /^p/ ? word[5] : "?"
            known = got > 0 && $1 != "-" && place != "?" && begin != "?"
            if (got > 0) end[$1, does] = place == "?" ? place : place + got
            for (k = 1; k <= 2; k++) {
                key = k SUBSEP (k == 1 ? $1 : "thread " word[1])
                placed[key] += known; sequential[key] += known && place == begin
                keys[key]; count[key, does]++; bytes[key, does] += got
                if (key != "1" SUBSEP "-") all[k] += got
            }
        }
        END {
            for (key in keys) {
                split(key, part, SUBSEP)
                if (part[2] == "-") continue
                sum = bytes[key, "read"] + bytes[key, "write"]
                printf "%d\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.6f\t%s\n", part[1], part[2],
                    count[key, "open"], count[key, "read"], count[key, "write"], count[key, "fsync"],
                    bytes[key, "read"], bytes[key, "write"], sum, sum / all[part[1]],
                    placed[key] ? sprintf("%.6f", sequential[key] / placed[key]) : ""
            }
            key = "1" SUBSEP "-"
            printf "# excluded, no file: %d opens, %d reads of %d bytes, %d writes of %d bytes, %d %s\n",
                count[key, "open"], count[key, "read"], bytes[key, "read"], count[key, "write"],
                bytes[key, "write"], count[key, "fsync"], "fsyncs; shares are of the rest" >"/dev/stderr"
        }' files.txt 2>wanted.txt | sort >both.tsv
    grep '^1' both.tsv | cut -f 2- | sort >wanted.tsv
    report real.db files | sort >got.tsv
    check "twitter: files" wanted.tsv got.tsv
    tracetool -d real.db report files --format tsv | grep '^# excluded' >got.txt
    check "twitter: files: what has none" wanted.txt got.txt
    grep '^2' both.tsv | cut -f 2- | sort >wanted.tsv
    report real.db files --by process | sort >got.tsv
    check "twitter: files --by process" wanted.tsv got.tsv
    # By type, out of the raw rows, of the calls before and after the first second.
    for window in "--to 1" "--from 1"; do
        query real.db "SELECT ifnull(o.type, ''), sum(n.text = 'open'), sum(n.text LIKE '%read'),
            sum(n.text LIKE '%write'), sum(n.text LIKE '%sync'),
            sum(iif(n.text LIKE '%read', ifnull(e.size, 0), 0)),
            sum(iif(n.text LIKE '%write', ifnull(e.size, 0), 0)) FROM event AS e
            JOIN name AS n ON n.id = e.operation LEFT JOIN object AS o ON o.id = e.object
            WHERE (n.text = 'open' OR n.text LIKE '%read' OR n.text LIKE '%write' OR n.text LIKE '%sync')
            AND iif('$window' = '--to 1', e.time < 1e9, e.time >= 1e9) GROUP BY 1" | sort >wanted.tsv
        # shellcheck disable=SC2086 # an option and its value
        report real.db files --by type $window | cut -f 1-7 | sort >got.tsv
        check "twitter: files --by type $window" wanted.tsv got.tsv
    done

    awk '{ calls++ }
        $3 ~ /^p?(read|write)$/ { transfers++; failed += $NF < 0 }
        END {
            printf "# excluded: %d of %d calls without a size; failed: %d reads and writes, of %d\n",
                calls - transfers + failed, calls, failed, transfers
        }' "$real" >wanted.txt
    awk -F'\t' '{ calls++; without += $1 == "-" }
        END {
            printf "# excluded: %d of %d events without a file; shares are of the rest\n",
                without, calls
        }' files.txt >>wanted.txt
    { left_out real.db argsize && left_out real.db popularity --of file; } >got.txt
    check "twitter: what is left out" wanted.txt got.txt

    awk -F'\t' -v OFS='\t' '{
        split($2, word, " ")
        if (word[3] ~ /^(p?read|p?write)$/) {
            key = word[4] OFS word[3] OFS $1
            count[key]++
            if (word[5 + (word[3] ~ /^p/)] > 0) bytes[key] += word[5 + (word[3] ~ /^p/)]
        }
    }
    END { for (key in count) print key, count[key], bytes[key] + 0 }' files.txt | sort >wanted.tsv
    query real.db "SELECT CAST(e.arguments AS TEXT), n.text, ifnull(o.name, '-'), count(*),
        ifnull(sum(e.size), 0) FROM event AS e JOIN name AS n ON n.id = e.operation
        LEFT JOIN object AS o ON o.id = e.object
        WHERE n.text IN ('read', 'pread', 'write', 'pwrite') GROUP BY 1, 2, 3" | sort >got.tsv
    check "twitter: transfers by descriptor, call and file" wanted.tsv got.tsv

    # Every call, in order of time.
    awk -F'\t' -v OFS='\t' '{
        n = split($2, word, " ")
        print word[1], word[2] == 0 ? 0 : word[2] "000", word[3], word[n], $1
    }' files.txt >wanted.tsv
    query real.db "SELECT a.tid, e.time, n.text, e.value, ifnull(o.name, '-') FROM event AS e
        JOIN actor AS a ON a.id = e.actor JOIN name AS n ON n.id = e.operation
        LEFT JOIN object AS o ON o.id = e.object ORDER BY e.id" >got.tsv
    check "twitter: every call with its file" wanted.tsv got.tsv
    printf '%d of %d calls on a descriptor are without a file: no open of it is in the trace\n' \
        "$(cut -f 1 files.txt | grep -cx -e -)" \
        "$(awk '$3 != "open" && !/"/' "$real" | wc -l)" >wanted.txt
    query real.db "SELECT text FROM remark" >got.txt
    check "twitter: remark" wanted.txt got.txt
}

small_trace
more_files
cut_up
many_calls
long_line
real_trace
finish ""
