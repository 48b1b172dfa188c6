#!/bin/bash
# Compares a store with a file, byte for byte: pages of all reports, each report in a format, several traces,
# filters, lists, comparisons and pictures, and hostile names.
#
#     STORE_URL=URL tests/store/reports.sh       on another server, without a cluster, and fewer
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/../formats.sh"
# shellcheck source=tests/store/servers.sh
. "$tests/store/servers.sh"

data=$root/testdata
if [ -n "${STORE_URL:-}" ]; then
    store=$STORE_URL
    tracetool -q store init "$store"
else
    server_find
    servers_know
    store=${stores[1]}/reports
    for number in 1 2; do
        tracetool -q store init "${stores[number]}/reports" --cluster fleet
    done
fi

# Name and file of a trace per kind, and of some formats.
samples=(calls palmist/ok/small.raw io most/small.po steps blktrace/ok/kernel.bin stacked blkparse/ok/stacked.txt
    files mobigen/small.txt syscalls strace/ok/error.strace deleted androtrace/ok/deleted.ufls
    spans android-trace/ok/shop-v3-dual.trace functions dwtrace/ok/program.dwt open dwtrace/ok/stopped.dwt
    probes rmp/ok/session.rmp results mobibench/ok/IO_Latency.txt memory samples/ok/small.smp
    damaged most/damaged/several.po)
names=()
for ((i = 0; i < ${#samples[@]}; i += 2)); do
    names+=("${samples[i]}")
    expect "import of ${samples[i + 1]}" tracetool -q -d all.db import -n "${samples[i]}" "$data/${samples[i + 1]}"
done
printf '%s\n' $'0.000000001\tC\tR\t8\t8\t1\ta'\'',"b"\\\tD\t/x "y",\\z\x01\t' $'0.500000002\tC\tW\t16\t8\t2\t\tD\t ' \
    $'0.900000003\tC\tW\t24\t8\t3\tbad\xff\x01\xc3\xa9\tM\t'\''); DROP TABLE trace; --' \
    "$(printf '1.000000000\tC\tW\t32\t8\t4\t%s\tM\tunhex(%s)' "$(head -c 1000000 /dev/zero | tr '\0' n)" "'41'")" >hostile.po
expect "import of hostile names" tracetool -q -d all.db import -n "it's \"q\" \\' x" hostile.po
names+=("it's \"q\" \\' x")
tracetool -d all.db push --to "$store" --events >said.txt 2>&1
expect "all are pushed: $(tail -n 1 said.txt)" [ "$(grep -c pushed said.txt)" = ${#names[@]} ]
if ! tracetool -q store check "$store" 2>said.txt; then
    fail "all is as it was sent" said.txt
    finish ""
    exit
fi
pass

# say PLACE COMMAND…: prints the output on a file or store, and the status.
say() {
    tracetool -d "$1" "${@:2}" >out.txt 2>said.txt </dev/null
    echo "status $?" >>out.txt
    # A page shows the last part of its source's address.
    sed "s|$1|PLACE|g; /Made by tracetool/s|from .*|from PLACE|" out.txt said.txt
}

# same WHAT COMMAND…: compares stdout, stderr and status of file and store.
same() {
    say all.db "${@:2}" >wanted.txt
    say "$store" "${@:2}" >got.txt
    check "$1" wanted.txt got.txt
}

# same_lines WHAT COMMAND…: the same, ignoring order: a store sorts traces by start.
same_lines() {
    say all.db "${@:2}" | sort >wanted.txt
    say "$store" "${@:2}" >got.txt
    sort -o got.txt got.txt
    sort -o got.txt got.txt
    check "$1" wanted.txt got.txt
}

formats=(tsv csv json jsonl md html table)
for name in "${names[@]}"; do
    same "$name: a page of all reports" page --no-plots -o - -t "$name"
done
mapfile -t reports < <(tracetool reports --format tsv | grep -v '^#' | cut -f 1 | sort -u)
# For the current version, pages suffice, because it is slow.
kinds=(io calls spans)
[ -z "${STORE_URL:-}" ] || kinds=()
for name in "${kinds[@]}"; do
    for report in "${reports[@]}"; do
        # Reports that do not fit the trace fail without a query to the store.
        tracetool -q -d all.db report "$report" -t "$name" >/dev/null 2>&1 || continue
        count=$((${count:-0} + 1))
        format=${formats[count % ${#formats[@]}]}
        same "$name: $report as $format" report "$report" -t "$name" --format "$format"
    done
done
expect "there are reports: ${count:-0}" [ "${count:-0}" -ge $((20 * ${#kinds[@]})) ]

same "all traces: popularity" report popularity
same "all traces: summary" report summary --format json
same "two: rw" report rw -t io -t deleted
same "two: functions" report functions -t spans -t functions --format csv
same_lines "traces" traces --hashes --format tsv
same "show" show io
same "show, damaged" show damaged
same "compare" compare io damaged --format tsv
same "compare a report" compare io damaged rw
same "a picture's rows" plot rw -t io --format gnuplot -o -
same "a process" report rw -t io --process process1
same "not a class" report rw -t io --not-class read
same "from, to" report popularity -t calls --from 0.1 --to 2
same "a file" report rw -t io --file '*.db'
same "under" report calltree -t functions --top 5
# Parts of the events, filtered by the server, of traces that are long enough.
write_log long.po 3000 5
sed -i 'p; s/\tC\t/\tQ\t/' long.po
expect "import of a long log" tracetool -q -d all.db import -n long long.po
tracetool -q -d all.db push --to "$store" --events -t long
same "a time" report seeks -t long --from 11 --to 25
same "a time of no event" report hourly -t long --from 11.5 --to 11.6
same "a time behind all" report seeks -t long --from 99999
same "hours of a time behind all" report hourly -t long --from 99999
same "hours of a time before all" report hourly -t long --to 0
same "hours of a time that ends before it begins" report hourly -t long -t io --by-trace --from 20 --to 10
same "a time and a process" report hourly -t long --from 11 --process process3
same "an action" report seeks -t long --action Q
same "queues" report queue -t long --from 10
same "a class" report runs -t long --not-class write --to 40
same "all but a file" report files -t long --not-file 'file17.db' --format csv
same "an operation" report timeline -t syscalls --op pwrite64
same "a time of calls" report timeline -t calls --from 0.1 --to 2 --format csv
same "a time of spans" report functions -t spans --from 0.001
same "by trace" report seeks -t io -t long -t damaged --from 0.0001 --by-trace
same "a report that there is not" report nosuch
# A file has packed arguments, a store the arguments.
awk 'BEGIN { for (i = 0; i < 20000; i++) printf "7 %d.%06d read(3</f%d>, \"data of %d\"..., 4096) = 0\n", 1795303426, i, i % 9, i % 99 }' >packed.strace
tracetool -q -d all.db import packed.strace
tracetool -q -d all.db push --to "$store" --events -t packed
mkdir own && echo 'queries: own' >own.yaml
printf -- '-- report: texts\n-- title: T\n-- kinds: calls\n-- events: yes\n-- column: text text\n%s\n' \
    'SELECT CAST(e.arguments AS TEXT) FROM temp.selection AS s JOIN event AS e ON e.id BETWEEN s.first_event AND s.last_event' >own/texts.sql
same "packed arguments" -c own.yaml report texts -t packed
expect "there are 20,000: $(grep -c 'data of' got.txt)" [ "$(grep -c 'data of' got.txt)" = 20000 ]
tracetool -d "$store" report rw -t nosuch >got.txt 2>said.txt
expect "a trace that there is not" grep -q nosuch said.txt
expect "a trace that there is not: no number" [ ! -s got.txt ]

# --- without events

tracetool -q -d all.db push --to "$store" -t io >/dev/null 2>&1
if [ -z "${STORE_URL:-}" ]; then
    rollups=${stores[1]}/rollups
    tracetool -q store init "$rollups"
    tracetool -q -d all.db push --to "$rollups" -t io -t calls -t functions
    # shellcheck disable=SC2086 # its words are several
    for report in 'rw -t io' 'popularity -t io' 'hourly -t io' 'latency -t io'; do
        tracetool -d all.db report $report >wanted.txt
        tracetool -d "$rollups" report $report >got.txt 2>said.txt
        check "rollups alone: $report" wanted.txt got.txt
    done
    for report in 'rw -t io --process process1' 'locality -t io' 'gaps --top 5 -t io' 'sequences -t calls' \
        'calltree -t functions'; do
        # shellcheck disable=SC2086 # its words are several
        tracetool -d "$rollups" report $report >got.txt 2>said.txt
        expect "without events: $report fails" [ $? -ne 0 ]
        expect "without events: $report: no number" [ ! -s got.txt ]
        expect "without events: $report: it says what to do" grep -q -e --events said.txt
    done

    # Pages and comparisons omit parts that cannot be answered, with the reason.
    tracetool -q -d all.db push --to "$rollups" -t damaged
    tracetool -d "$rollups" page -t io --no-plots -o page.html rw seeks 2>said.txt
    expect "a page without events: status $?" [ $? -eq 0 ]
    expect "a page: how many: $(<said.txt)" grep -q '1 of 2 reports could not be made' said.txt
    expect "a page: which, and why" grep -q 'id="r-seeks"' page.html
    grep -A 2 'id="r-seeks"' page.html >got.txt
    expect "a page: why" grep -q 'Left out: report seeks: trace io was pushed without its events' got.txt
    for reports in seeks 'seeks runs'; do
        # shellcheck disable=SC2086 # its words are several
        tracetool -d "$rollups" page -t io --no-plots -o none.html $reports 2>said.txt
        expect "a page without any of $reports" [ $? -eq 1 ]
        expect "a page without any: why: $(<said.txt)" grep -q 'report seeks: trace io was pushed without its events' said.txt
        expect "a page without any: no file" [ ! -e none.html ]
    done
    tracetool -d all.db page -t io --no-plots -o - rw >all.html
    for place in page.html all.html; do sed -n '/id="r-rw"/,/<\/section>/p' $place >section-$place; done
    check "a page: what can be answered" section-all.html section-page.html
    tracetool -d "$rollups" page --compare io damaged --no-plots -o page.html rw seeks 2>said.txt
    expect "a page of a comparison: $(<said.txt)" grep -q '1 of 2 reports could not be made' said.txt
    expect "a page of a comparison: why" grep -q 'Left out: report seeks: trace io' page.html
    tracetool -d "$rollups" compare io damaged --top 50 --format tsv >got.txt 2>said.txt
    status=$?
    expect "a comparison without events: $(<said.txt)" [ $status -eq 0 ]
    expect "a comparison: why" grep -q '^# left out: .*: trace io was pushed without its events' got.txt
    expect "a comparison: rows" grep -q '	rw	' got.txt
    # Percentiles of several traces need events; those of each are among the counts.
    for step in 3 7; do
        awk -v step=$step 'BEGIN {
            for (i = 0; i < 200; i++)
                printf "%.9f\tD\tW\t%d\t8\t1\ta\tD\tf\n%.9f\tC\tW\t%d\t8\t1\ta\tD\tf\n", i / 100, i * 8,
                    i / 100 + 0.001 + i * step % 97 * 0.0000137, i * 8
        }' >late.po
        tracetool -q -d late.db import -n late$step late.po
    done
    tracetool -q -d late.db push --to "$rollups"
    tracetool -d "$rollups" report latency -t late3 -t late7 >got.txt 2>said.txt
    expect "latencies of both: what to do: $(<said.txt)" grep -q 'push --events.*; percentiles of each trace by itself (--by-trace)' said.txt
    tracetool -d late.db report latency --by-trace >wanted.txt
    tracetool -d "$rollups" report latency -t late3 -t late7 --by-trace >got.txt
    check "latencies of each" wanted.txt got.txt
    tracetool -d "$rollups" compare io damaged seeks >got.txt 2>said.txt
    expect "a comparison that is asked for fails" [ $? -eq 1 ]
fi
# Stores have no tables for thread states. This comes last, since it adds traces to the store.
tracetool -q -d states.db import -n log "$data/ftrace/ok/states.txt"
tracetool -d states.db push --to "$store" >said.txt 2>&1
expect "thread states are not sent, and it says so" \
    grep -qx 'log.states is not sent: stores do not keep thread states' said.txt
tracetool -d states.db push --to "$store" -t log.states >said.txt 2>&1
expect "asked for, they are an error" \
    grep -qx 'tracetool: trace log.states: stores do not keep thread states' said.txt
finish ""
