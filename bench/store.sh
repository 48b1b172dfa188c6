#!/bin/bash
# Measures the cost of a store: bytes per event, push rate, and times of reports over many traces, from a file
# and from the store. Uses this machine, with two ClickHouse servers of tests/store/ as shards.
#
#     BUILD=build bench/store.sh [EVENTS [TRACES]]
#
# EVENTS (1,000,000) of MOST text are in one trace, pushed with events; TRACES (2,000) are small ones, pushed
# without. The last lines are rows for bench/README.md. `make check-store` installs ClickHouse.
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/../tests/formats.sh"
# shellcheck source=tests/store/servers.sh
. "$tests/store/servers.sh"

events=${1:-1000000} traces=${2:-2000}
server_find || { echo "there is no ClickHouse: make check-store brings it" >&2 && exit 1; }
STORE_FOLDER=$work/store
mkdir "$STORE_FOLDER"
trap 'servers_end; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
servers_make
servers_start || exit 1
for number in 1 2; do
    tracetool store init "${stores[number]}/bench" --cluster fleet >/dev/null || exit 1
done
store=${stores[1]}/bench

# seconds COMMAND…: prints its duration.
seconds() {
    local TIMEFORMAT=%R

    { time "$@" >/dev/null 2>said.txt; } 2>&1
}

# stored TABLES: prints the bytes on both shards of tables with names LIKE this, after merges.
stored() {
    local number sum=0

    for number in 1 2; do
        sum=$((sum + $(ask $number "SELECT sum(bytes) FROM system.parts WHERE active AND database = 'bench' AND table LIKE '$1'")))
    done
    echo $sum
}

# least TIMES COMMAND…: prints the shortest of so many durations.
least() {
    local i

    for ((i = 0; i < $1; i++)); do
        seconds "${@:2}"
    done | sort -n | head -n 1
}

write_log big.po "$events" 0
tracetool -q -d big.db import -n big big.po
push=$(seconds tracetool -q -d big.db push --to "$store" --events)
bytes=$(stored 'event%')
for ((i = 0; i < traces; i++)); do
    write_log "small-$i.po" 200 $((i * 200))
done
find . -name 'small-*.po' -print0 | sort -z | xargs -0 "$TRACETOOL" -q -d many.db import
push_many=$(seconds tracetool -q -d many.db push --to "$store")

echo "| what | figure |"
echo "| --- | ---: |"
echo "| bytes an event, SQLite | $(awk -v b="$(stat -c %s big.db)" -v n="$events" 'BEGIN { printf "%.1f", b / n }') |"
echo "| bytes an event, store | $(awk -v b="$bytes" -v n="$events" 'BEGIN { printf "%.1f", b / n }') |"
echo "| push with events, million events a second | $(awk -v s="$push" -v n="$events" 'BEGIN { printf "%.2f", n / s / 1e6 }') |"
echo "| push of $traces traces without events, traces a second | $(awk -v s="$push_many" -v n="$traces" 'BEGIN { printf "%.0f", n / s }') |"
for report in rw hourly process filetype popularity; do
    echo "| report $report of $traces traces: file, store (s) | $(least 3 tracetool -d many.db report $report)," \
        "$(least 3 tracetool -d "$store" report $report) |"
done
