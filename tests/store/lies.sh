#!/bin/bash
# Tests a malicious store. Any answer leads to one clear error in bounded time and memory, no control
# characters on the terminal, and no commit or output that the store did not justify.
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/../formats.sh"
# shellcheck source=tests/store/servers.sh
. "$tests/store/servers.sh"
server_find
servers_know

store=${stores[1]}/lies
tracetool -q store init "$store"
write_log log.po 3000 0
tracetool -q -d log.db import -n log log.po
write_log other.po 3000 9000000
tracetool -q -d other.db import -n other other.po
tracetool -q -d log.db push --to "$store" --events
# Limits in KiB and seconds for any answer.
most_memory=700000 most_seconds=60
proxy_start none "${http_ports[1]}"
trap 'proxy_end; rm -rf "$work"' EXIT

# run_through FAULT SKIP COMMAND…: runs it with the store behind the proxy as URL. Sets $status.
run_through() {
    local word words=()

    proxy_become "$1" "$2" "${times:--1}"
    for word in "${@:3}"; do
        words+=("${word/URL/$proxy/lies}")
    done
    # shellcheck disable=SC2086 # TRACETOOL may be several words
    timeout $most_seconds /usr/bin/time -q -f %M -o memory.txt $TRACETOOL "${words[@]}" >out.txt 2>said.txt
    status=$?
}

# fails WHAT: checks that the last command failed properly.
fails() {
    local memory

    memory=$(tail -n 1 memory.txt)
    if [ $status -ne 1 ] || [ ! -s said.txt ] || LC_ALL=C grep -q $'[\x01-\x08\x0b-\x1f\x7f]' said.txt out.txt ||
        ! grep -q '^tracetool: ' said.txt || [ "$(wc -c <said.txt)" -gt 2000 ] || [ "$memory" -gt $most_memory ]; then
        { echo "status $status, $memory KiB" && cat -v said.txt; } >details.txt
        fail "$1" details.txt
    else
        pass
    fi
}

commands=("store check URL" "-d other.db push --to URL --events" "-d URL report popularity")
for fault in html endless lengthy header redirect noise giant varint empty denied cut more; do
    for skip in 0 1 2; do
        for command in "${commands[@]}"; do
            # shellcheck disable=SC2086 # a command and its options
            run_through $fault $skip $command
            # It may have requested less, or nothing may be a valid answer.
            if ! grep -qx $fault proxy.log || { [ $fault = empty ] && [ $status -eq 0 ]; }; then
                expect "$fault behind $skip: $command: $(<said.txt)" [ $status -eq 0 ]
                tracetool -q -d "$store" remove other 2>removed.txt
            else
                fails "$fault behind $skip: $command"
                [[ $command != *report* ]] || expect "$fault behind $skip: no number" [ ! -s out.txt ]
            fi
            expect "$fault: nobody follows" [ "$(grep -c followed proxy.log)" = 0 ]
        done
    done
done
expect "what was there is there" tracetool -q store check "$store"

# --- what does not come, though it was pushed

proxy_end
for table in source name rollup_hour event; do
    proxy_start empty "${http_ports[1]}" --match "SELECT trace, attempt, \`.* FROM lies.\`$table\` WHERE"
    case $table in
    event) words=(report rw --process process1) ;;
    *) words=(report hourly) ;;
    esac
    tracetool -d "$proxy/lies" "${words[@]}" >out.txt 2>said.txt
    status=$?
    output=$(<out.txt)
    expect "emptied: $table: $(<said.txt)" grep -q "gave fewer rows of $table of trace log" said.txt
    expect "emptied: $table: no number" [ "$status ${#output}" = "1 0" ]
    proxy_end
done
proxy_start none "${http_ports[1]}"

# --- what passes by itself is tried again

for fault in lose short busy refuse; do
    times=1 run_through $fault 1 store check URL
    expect "$fault, once" [ $status -eq 0 ]
done
times=1 run_through late 0 store check URL
expect "late, once" [ $status -eq 0 ]
run_through busy 0 store check URL
fails "busy for ever"
expect "busy: several were asked" [ "$(grep -c busy proxy.log)" -ge 3 ]
# One flipped bit: an answer that looks right, or an error.
for skip in 0 1 2 3; do
    for command in "${commands[@]}"; do
        # shellcheck disable=SC2086
        run_through changed $skip $command
        expect "one bit behind $skip: $command: status $status" [ $status -le 1 ]
    done
done

# --- who may, and where to

for user in reader writer; do
    TRACETOOL_STORE_USER=$user TRACETOOL_STORE_PASSWORD=$user tracetool -q store check "$store" >said.txt 2>&1
    expect "$user may read" [ $? -eq 0 ]
done
TRACETOOL_STORE_USER=writer TRACETOOL_STORE_PASSWORD=wrong tracetool store check "$store" >said.txt 2>&1
expect "a wrong password: status $?" grep -q 'assword' said.txt
expect "a wrong password is not shown" [ "$(grep -c wrong said.txt)" = 0 ]
TRACETOOL_STORE_USER=reader TRACETOOL_STORE_PASSWORD=reader tracetool -d other.db push --to "$store" >said.txt 2>&1
expect "a reader may not push" [ $? -eq 1 ]
TRACETOOL_STORE_USER=changeless TRACETOOL_STORE_PASSWORD=changeless tracetool store check "$store" >said.txt 2>&1
expect "where settings may not be set, it says so: $(<said.txt)" grep -q -e readonly -e ' events;' said.txt
printf 'machine 127.0.0.1 login writer password writer\n' >.netrc
chmod 600 .netrc
expect "a user of ~/.netrc" tracetool -q store check "$store"
rm .netrc
for url in http://example.org/lies http://user:secret@127.0.0.1/lies ftp://127.0.0.1/lies http://127.0.0.1/ \
    "http://127.0.0.1/a b" "http://127.0.0.1/a';DROP TABLE x" http://127.0.0.1:99999/lies; do
    tracetool store check "$url" >said.txt 2>&1
    expect "refused: $url: status $?" grep -q '^tracetool: ' said.txt
    expect "no secret is shown" [ "$(grep -c secret said.txt)" = 0 ]
done
finish ""
