#!/bin/bash
# Tests the servers and the proxy, on which the other parts rely.
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/../formats.sh"
# shellcheck source=tests/store/servers.sh
. "$tests/store/servers.sh"
server_find
servers_know

# answers WHAT EXPECTED COMMAND…
answers() {
    printf '%s\n' "$2" >wanted.txt
    "${@:3}" >got.txt 2>&1
    check "$1" wanted.txt got.txt
}

for number in 1 2 3; do
    answers "server $number answers" 2 ask $number 'SELECT 1 + 1'
    answers "server $number knows two shards" 2 ask $number "SELECT count() FROM system.clusters WHERE cluster = 'fleet'"
done
ask 1 'CREATE DATABASE harness'
ask 2 'CREATE DATABASE harness'
for number in 1 2; do
    ask $number 'CREATE TABLE harness.kept_local (trace UInt64, count Int64) ENGINE = MergeTree ORDER BY trace'
    ask $number 'CREATE TABLE harness.kept (trace UInt64, count Int64) ENGINE = Distributed(fleet, harness, kept_local, trace)'
done
seq 100 | awk '{ print $1 "\t" $1 * 10 }' |
    curl -sS --data-binary @- "${stores[1]}/?query=INSERT%20INTO%20harness.kept%20FORMAT%20TabSeparated&insert_distributed_sync=1"
answers "a table on both shards" '100	50500' ask 2 'SELECT count(), sum(count) FROM harness.kept'
answers "each shard has half of it" 50 ask 1 'SELECT count() FROM harness.kept_local'

# Surprising behaviour of servers, on which statements must not depend. A server that fixes one fails here.
answers "ORDER BY 1 is no order" "$(printf '3\n1\n2')" ask 1 \
    'SELECT n FROM (SELECT 3 AS n UNION ALL SELECT 1 UNION ALL SELECT 2) ORDER BY 1' max_threads=1
answers "sums wrap" -4 ask 1 'SELECT sum(n) FROM (SELECT toInt64(9223372036854775807) AS n FROM system.numbers LIMIT 4)'
server_end 2 KILL
answers "with a shard down, a server that skips it tells half" 50 ask 1 'SELECT count() FROM harness.kept' skip_unavailable_shards=1
expect "else it fails" grep -q 'Code: 279' <(ask 1 'SELECT count() FROM harness.kept' skip_unavailable_shards=0 2>&1)
server_start 2
server_wait 2
answers "it is back" 100 ask 1 'SELECT count() FROM harness.kept' skip_unavailable_shards=0

servers_join 3
answers "a third shard has joined" 3 ask 1 "SELECT count() FROM system.clusters WHERE cluster = 'fleet'"
servers_join 2

# by_proxy WHAT EXPECTED FAULT [OPTION…]: checks what curl receives.
by_proxy() {
    proxy_start "$3" "${http_ports[1]}" "${@:4}"
    printf '%s\n' "$2" >wanted.txt
    curl -sS --max-time 5 --max-filesize 1000000 --data-binary 'SELECT 12345678' "$proxy" >got.txt 2>&1
    echo "$?" >>got.txt
    check "proxy: $1" wanted.txt got.txt
    proxy_end
}

by_proxy "nothing" "$(printf '12345678\n0')" none
by_proxy "another statement" "$(printf '12345678\n0')" lose --match INSERT
by_proxy "one bit" "$(printf '12344678\n0')" changed
proxy_start lose "${http_ports[1]}" --match INSERT --times 1
for count in 7 8; do
    curl -sS --data-binary "$(printf '1000\t%s' $count)" \
        "$proxy/?query=INSERT%20INTO%20harness.kept%20FORMAT%20TabSeparated&insert_distributed_sync=1" >lost.txt 2>&1
    echo $? >>lost.status
done
proxy_end
answers "proxy: the first answer is lost" "$(printf '52\n0')" cat lost.status
answers "proxy: both rows are there" 15 ask 1 'SELECT sum(count) FROM harness.kept WHERE trace = 1000'
finish ""
