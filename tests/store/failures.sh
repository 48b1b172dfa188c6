#!/bin/bash
# Tests failures during pushes and reads: either all or nothing is visible. Queries the servers directly.
#
#     KILLS=20 tests/store.sh failures
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/../formats.sh"
# shellcheck source=tests/store/servers.sh
. "$tests/store/servers.sh"
server_find
servers_know

store=${stores[1]}/failures
for number in 1 2; do
    expect "store init on server $number" tracetool -q store init "${stores[number]}/failures" --cluster fleet
done

# pushed DATABASE [OPTION…]: prints status and message of a push to $to, or else to the store.
pushed() {
    tracetool -d "$1" push --to "${to:-$store}" "${@:2}" >said.txt 2>&1
}

# seen: prints the numbers of visible traces and of their events.
seen() {
    tracetool store check "$store" 2>&1 | sed -n 's/^\(tracetool: \)\{0,1\}\([0-9]*\) traces\{0,1\},.*; \([0-9]*\) events\{0,1\}; .*/\2 \3/p'
}

# sees WHAT TRACES EVENTS
sees() {
    echo "$2 $3" >wanted.txt
    seen >got.txt
    check "$1" wanted.txt got.txt
}

# rows TABLE: prints the number of rows on all shards, committed or not.
rows() {
    ask 1 "SELECT count() FROM failures.$1"
}

# log_of NUMBER EVENTS: makes NUMBER.db with one trace of so many events.
log_of() {
    write_log "$1.po" "$2" $(($1 * 10000000))
    rm -f "$1.db"
    tracetool -q -d "$1.db" import -n "trace-$1" "$1.po"
}

# --- as it should be, and again

log_of 1 3000
expect "push" pushed 1.db
sees "rollups are pushed" 1 3000
expect "push again" pushed 1.db
expect "nothing is sent again" grep -q 'exists already' said.txt
expect "push with events" pushed 1.db --events
sees "events, too" 1 3000
expect "3000 events" [ "$(rows event)" = 3000 ]
tracetool -q -d 1.db push --to "$store" --events
expect "once" [ "$(rows event)" = 3000 ]

# --- killed at any moment

log_of 2 60000
begin=$(date +%s%N)
pushed 2.db --events
whole=$((($(date +%s%N) - begin) / 1000000))
sees "a push that ends" 2 63000
tracetool -q -d "$store" remove trace-2
sees "removed" 1 3000
kills=${KILLS:-20}
for ((i = 0; i < kills; i++)); do
    $TRACETOOL -q -d 2.db push --to "$store" --events >said.txt 2>&1 &
    pid=$!
    sleep "$(awk -v i=$i -v n="$kills" -v ms=$whole 'BEGIN { printf "%.3f", ms * (i + 0.5) / n / 1000 }')"
    kill -KILL $pid 2>/dev/null
    wait $pid 2>/dev/null
    got=$(seen)
    case $got in
    "1 3000") pass ;;
    # It finished before the signal.
    "2 63000")
        pass
        tracetool -q -d "$store" remove trace-2
        ;;
    *) fail "killed at moment $i: seen: $got" ;;
    esac
done
expect "some were killed with rows sent" [ "$(rows event)" -gt 63000 ]
expect "pushed again" pushed 2.db --events
sees "behind all of that" 2 63000

# --- swept

for number in 1 2; do
    expect "sweep of server $number" tracetool -q store sweep "${stores[number]}/failures" --older 0s
done
# The server deletes asynchronously.
for ((i = 0; i < 100; i++)); do
    [ "$(rows event)" = 63000 ] && break
    sleep 0.1
done
expect "sweep: what is left is what is seen" [ "$(rows event)" = 63000 ]
sees "sweep took nothing that is seen" 2 63000

# --- between the two

# through FAULT [OPTION…]: sets $to to the store behind the proxy.
through() {
    proxy_start "$1" "${http_ports[1]}" "${@:2}"
    to=$proxy/failures
}

log_of 3 3000
through lose --match 'INSERT INTO .*event' --times 1
expect "an answer is lost: push" pushed 3.db --events
proxy_end
expect "an answer was lost" grep -qx lose proxy.log
sees "an answer is lost" 3 66000
expect "an answer is lost: it was stored twice" [ "$(rows event)" -gt 66000 ]

log_of 4 3000
through busy --times 2
expect "a busy server: push" pushed 4.db
proxy_end
sees "a busy server" 4 69000

log_of 5 3000
to=
$TRACETOOL -q -d 5.db push --to "$store" --events >one.txt 2>&1 &
one=$!
$TRACETOOL -q -d 5.db push --to "${stores[2]}/failures" --events >two.txt 2>&1 &
two=$!
wait $one
first=$?
wait $two
expect "two at once: both succeed" [ $first = 0 -a $? = 0 ]
sees "two at once" 5 72000

# --- a server less

server_end 2 KILL
before=$SECONDS
tracetool -d "$store" report popularity >report.txt 2>said.txt
expect "a shard is down: a report fails" [ $? -ne 0 ]
expect "a shard is down: no number" [ ! -s report.txt ]
expect "a shard is down: it says so" [ -s said.txt ]
for command in "-d $store report popularity" "store check $store"; do
    # shellcheck disable=SC2086 # a command and its options
    TRACETOOL_STORE_USER=skipper TRACETOOL_STORE_PASSWORD=skipper tracetool $command >report.txt 2>said.txt
    expect "a shard is down, and the server would skip it: $command" [ $? -ne 0 ]
    expect "and the server would skip it: no number" [ ! -s report.txt ]
done
tracetool store check "$store" >check.txt 2>&1
expect "a shard is down: check fails" [ $? -ne 0 ]
log_of 6 3000
pushed 6.db
expect "a shard is down: push fails" [ $? -ne 0 ]
echo "a shard is down: $((SECONDS - before)) s until all have said so"
server_start 2
server_wait 2
sees "it is back" 5 72000

log_of 7 60000
$TRACETOOL -q -d 7.db push --to "$store" --events >said.txt 2>&1 &
pid=$!
sleep "$(awk -v ms=$whole 'BEGIN { printf "%.3f", ms / 2000 }')"
server_end 2 KILL
server_start 2
server_wait 2
wait $pid
status=$?
[ $status -eq 0 ] || cat said.txt
expect "a shard goes and comes back: push" [ $status -eq 0 ]
sees "a shard goes and comes back" 6 132000

for number in 1 2; do server_end $number; done
for number in 1 2; do server_start $number; done
for number in 1 2; do server_wait $number; done
sees "all servers began anew" 6 132000

# --- a third shard

expect "store init on the third" tracetool -q store init "${stores[3]}/failures" --cluster fleet
servers_join 3
sees "three shards" 6 132000
for number in 11 12 13 14 15 16; do
    log_of $number 1000
    expect "push to three" pushed $number.db
done
sees "more of them" 12 138000
expect "the third has some" [ "$(ask 3 'SELECT count() FROM failures.trace_local')" -ge 1 ]
servers_join 2
finish ""
