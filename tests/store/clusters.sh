#!/bin/bash
# Tests stores with and without a cluster: what is refused, and that nothing was created then.
#
#     tests/store.sh clusters
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/../formats.sh"
# shellcheck source=tests/store/servers.sh
. "$tests/store/servers.sh"
server_find
servers_know

# says STATUS WHAT WORDS COMMAND…: checks the exit status, and that the message contains the words.
says() {
    tracetool "${@:4}" >got.txt 2>said.txt
    expect "$2: status" [ $? -eq "$1" ]
    expect "$2: $(head -n 1 said.txt)" grep -q -e "$3" said.txt
}

# has DATABASE: prints the number of its tables.
has() {
    ask 1 "SELECT count() FROM system.tables WHERE database = '$1'"
}

url=${stores[1]}
says 1 "an unknown cluster" "no cluster 'nope'; there are: fleet, lone, pairs" store init "$url/one" --cluster nope
expect "an unknown cluster: nothing was made" [ "$(ask 1 "SELECT count() FROM system.databases WHERE name = 'one'")" = 0 ]
says 1 "replicas" "cluster 'pairs' have 2 servers" store init "$url/one" --cluster pairs
expect "replicas: nothing was made" [ "$(ask 1 "SELECT count() FROM system.databases WHERE name = 'one'")" = 0 ]

says 0 "without a cluster" 'is a store$' store init "$url/one"
tables=$(has one)
says 1 "then with one" 'its tables belong to no cluster' store init "$url/one" --cluster fleet
expect "then with one: nothing was made" [ "$(has one)" = "$tables" ]
says 0 "once more without" 'is a store$' store init "$url/one"

# The other server of the cluster does not know it yet.
says 0 "with a cluster" "is a store; run this on the other servers, too: 127.0.0.1:${tcp_ports[2]}$" \
    store init "$url/many" --cluster fleet
says 1 "before the other server is told" 'each server needs tracetool store init' store check "$url/many"
says 0 "the other server" "too: 127.0.0.1:${tcp_ports[1]}$" store init "${stores[2]}/many" --cluster fleet
says 0 "both are told" '^0 traces' store check "$url/many"
tables=$(has many)
says 1 "then without one" "its tables are of cluster 'fleet': --cluster fleet" store init "$url/many"
says 1 "another cluster" "its tables are of cluster 'fleet'" store init "$url/many" --cluster lone
expect "another cluster: nothing was made" [ "$(has many)" = "$tables" ]
says 0 "a cluster of one server" 'is a store$' store init "$url/single" --cluster lone

# Created by an earlier version: missing columns are added, on each server.
write_log early.po 31 70000
tracetool -q -d early.db import -n early early.po
tracetool -q store init "$url/early" --cluster fleet
tracetool -q store init "${stores[2]}/early" --cluster fleet
for number in 1 2; do
    ask $number 'ALTER TABLE early.trace DROP COLUMN rows'
    ask $number 'ALTER TABLE early.trace_local DROP COLUMN rows'
    ask $number 'ALTER TABLE early.event_local DROP COLUMN self'
done
tracetool -q -d early.db push --to "$url/one"
ask 1 'ALTER TABLE one.trace DROP COLUMN rows'
hint='tracetool store init adds the columns'
says 1 "a column is missing" "$hint" -d "$url/one" report rw
says 1 "a column is missing: push" 'there is no trace.rows; make it with tracetool store init' -d early.db push --to "$url/early"
says 0 "columns are added" 'is a store$' store init "$url/one"
says 0 "columns of a cluster are added" 'is a store; run' store init "$url/early" --cluster fleet
says 0 "on the other server, too" 'is a store; run' store init "${stores[2]}/early" --cluster fleet
says 0 "what was pushed is there" '^1 trace, ' store check "$url/one"
tracetool -q -d early.db push --to "$url/early" --events
says 0 "with its columns a store takes traces" '^1 trace, ' store check "$url/early"
tracetool -d early.db report rw >wanted.txt
for database in one early; do
    tracetool -d "$url/$database" report rw >got.txt
    check "a store with added columns: $database" wanted.txt got.txt
done

# Creation for a cluster that was interrupted.
ask 1 'CREATE DATABASE begun'
ask 1 'CREATE TABLE begun.trace_local (trace UInt64) ENGINE = MergeTree ORDER BY trace'
says 1 "begun for a cluster" 'created for a cluster: give --cluster' store init "$url/begun"

# --- what counts, by the statement of docs/fleet.md

sql=$(sed -n '/^    SELECT name, events FROM trace$/,/^    ORDER BY name$/p' "$root/docs/fleet.md")
# agree WHAT: compares the statement and `list`.
agree() {
    tracetool -d "$url/many" list --format tsv | grep -v '^#' | cut -f 1,4 >wanted.txt
    ask 1 "$sql" database=many >got.txt
    check "$1" wanted.txt got.txt
    expect "$1: $2 traces" [ "$(wc -l <got.txt)" = "$2" ]
}

write_log one.po 300 0
write_log two.po 500 9000000
tracetool -q -d many.db import -n one one.po
tracetool -q -d many.db import -n two two.po
push() { tracetool -d many.db push --to "$url/many" "$@" >said.txt 2>&1; }
push && agree "rollups" 2
push --events && agree "events, too" 2
tracetool -q -d "$url/many" remove one
agree "one is removed" 1
push -t one && agree "it is sent again" 2
push -t one --events && agree "and with its events" 2

# In another place and compressed, the log is the same.
mkdir elsewhere
gzip -c one.po >elsewhere/one.po.gz
tracetool -q -d packed.db import -n one elsewhere/one.po.gz
says 0 "a log that lies elsewhere" 'exists already as [0-9a-f]*: nothing sent' -d packed.db push --to "$url/many"

# A name that equals another trace's hash does not hide it.
hash=$(sed 's/.* as \([0-9a-f]*\):.*/\1/' said.txt)
tracetool -q -d many.db rename two "$hash"
tracetool -q -d "$url/many" remove two
push -t "$hash"
tracetool -d "$url/many" report rw -t "$hash" 2>hint.txt >got.txt
tracetool -d packed.db report rw >wanted.txt
check "a whole hash is before a name" wanted.txt got.txt
tracetool -d "$url/many" remove "$hash" 2>said.txt
expect "a whole hash is before a name: $(<said.txt)" grep -q "removed one ($hash)" said.txt

# Created manually.
ask 1 'DROP TABLE many.trace'
ask 1 'CREATE TABLE many.trace AS many.trace_local ENGINE = Distributed(pairs, many, trace_local, trace)'
says 1 "a store of replicas" "cluster 'pairs' have 2 servers" store check "$url/many"

# --- who asks

tracetool -q -d log.db import -n log "$root/testdata/most/small.po"
TRACETOOL_STORE_USER=reader TRACETOOL_STORE_PASSWORD=reader says 1 "a reader" 'this user may only read' \
    -d log.db push --to "$url/one"
printf 'machine 127.0.0.1 login reader password reader\n' >.netrc
chmod 600 .netrc
TRACETOOL_STORE_USER='' says 1 "an empty user is none" 'this user may only read' -d log.db push --to "$url/one"
rm .netrc
finish ""
