#!/bin/bash
# Compares reports with a current ClickHouse (libchdb), if `make check-store` installed it from npm.
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"

library=${CHDB:-$BUILD/chdb/libchdb.so}
if [ ! -e "$library" ]; then
    skip "a current ClickHouse: there is no libchdb"
    finish ""
    exit
fi
folder=$(mktemp -d)
trap 'kill "$pid" 2>/dev/null; wait "$pid" 2>/dev/null; rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM HUP
mkdir "$folder/data"
TZ=UTC command python3 "$tests/store/chdb_server.py" "$library" "$folder/data" --port-file "$folder/port" 2>"$folder/said" &
pid=$!
until=$((SECONDS + 60))
while [ ! -s "$folder/port" ] && kill -0 $pid 2>/dev/null && [ $SECONDS -lt $until ]; do
    sleep 0.1
done
if [ ! -s "$folder/port" ]; then
    fail "libchdb begins" "$folder/said"
    finish ""
    exit
fi
STORE_URL=http://127.0.0.1:$(<"$folder/port")/current "$tests/store/reports.sh"
