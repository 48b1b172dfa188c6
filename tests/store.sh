#!/bin/bash
# Tests stores with real servers, which are started here and stopped in any case.
#
#     BUILD=build tests/store.sh [PART…]
#
# PART: a script of tests/store/ without .sh; default: all. `make check-store` installs the requirements.
# Everything is skipped without ClickHouse.
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/store/servers.sh
. "$tests/store/servers.sh"

if ! server_find; then
    skip "there is no ClickHouse: make check-store brings it"
    finish ""
    exit
fi
STORE_FOLDER=$(mktemp -d)
export STORE_FOLDER
trap 'servers_end; rm -rf "$STORE_FOLDER"' EXIT
trap 'exit 130' INT TERM HUP

servers_make
if ! servers_start; then
    fail "three servers answer"
    finish ""
    exit
fi
if [ $# -eq 0 ]; then
    mapfile -t parts < <(cd "$tests/store" && printf '%s\n' *.sh | sed '/^servers.sh$/d; s/\.sh$//')
else
    parts=("$@")
fi
for part in "${parts[@]}"; do
    run_part "store: $part" "$tests/store/$part.sh"
    # Whatever the part did to the servers.
    servers_start || { fail "the servers answer behind $part" && break; }
done
finish ""
